// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"
)

// Messages are messages between all ranks: the message for rank r is the first Sent[r] bytes of Send from byte r*Place
// on, and the first Received[r] bytes of Into from there are the message from rank r. Longest is the length of the
// longest message between any two ranks.
type Messages struct {
	Send, Into     Memory
	Place          int64
	Sent, Received []int64
	Longest        int64
}

// Exchanges makes the exchanges of a search level by level, on the device's stream.
type Exchanges interface {
	// AllGatherOn fills all with the ranks' parts, which have the length of own. own may be this rank's place in all.
	AllGatherOn(own, all Memory) error
	AllToAllOn(Messages) error
	// Check returns an error if an earlier exchange has failed.
	Check() error
	// Abort ends all exchanges, also those that wait for other ranks. Later ones return the cause.
	Abort(cause error)
	// Transport returns the name of the transport.
	Transport() string
}

// PrepareLevels makes the exchanges before searches level by level. It is called once, between Connect and the first
// search.
func (s *Search) PrepareLevels() error {
	code := C.g500_search_prepare(s.c, &s.wanted, s.device.onStream())
	if err := check("preparing searches level by level", code); err != nil {
		return err
	}
	return s.device.drive(s, s.graph.Ranks(), &s.wanted, prepared, s.exchanges)
}

func (s *searching) next() error {
	return s.ended(C.g500_searching_next(s.c, &s.wanted, s.device.onStream()))
}

func (s *searching) fail() { C.g500_searching_fail(s.c) }

// The kinds of what a rank wants: the end, an exchange, or time.
const (
	searchDone     = C.G500_SEARCH_DONE
	prepared       = C.G500_PREPARED
	wantsAllGather = C.G500_WANTS_ALL_GATHER
	wantsAllToAll  = C.G500_WANTS_ALL_TO_ALL
	wantsTime      = C.G500_WANTS_TIME
)

// driven is a search of one rank that the host drives: after each wanted exchange it calls next or, if the exchange has
// failed, fail.
type driven interface {
	next() error
	fail()
}

// drive makes the wanted exchanges of that many ranks until the end, which is done. After an error no other search is
// possible; if not all ranks have ended at the same exchange, it aborts the exchanges, for which this rank's device
// would wait forever.
func (d *Device) drive(of driven, ranks int, w *C.g500_wanted, done C.int, x Exchanges) error {
	for w.kind != done {
		err := d.exchange(w, ranks, x)
		if err != nil {
			of.fail()
		} else {
			err = of.next()
		}
		if err != nil && !errors.Is(err, ErrEnded) {
			x.Abort(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exchange makes the exchange that one of that many ranks wants.
func (d *Device) exchange(w *C.g500_wanted, ranks int, x Exchanges) error {
	n, place := int64(ranks), int64(w.place)
	switch w.kind {
	case wantsTime:
		return x.Check()
	case wantsAllGather:
		bytes := int64(w.bytes)
		return x.AllGatherOn(d.At(w.d_own, bytes), d.At(w.d_all, n*bytes))
	}
	return x.AllToAllOn(Messages{
		Send: d.At(w.d_send, n*place), Into: d.At(w.d_receive, n*place), Place: place,
		Sent: lengths(w.send_bytes, ranks), Received: lengths(w.receive_bytes, ranks), Longest: int64(w.longest),
	})
}

func lengths(of *C.uint64_t, n int) []int64 { return unsafe.Slice((*int64)(unsafe.Pointer(of)), n) }

// EmptyLevel is the work of a level of a search that the host drives, without vertices: a kernel, an exchange, a
// kernel, and the host's poll of the sum that the second kernel sends.
type EmptyLevel struct {
	Allocated
	c    *C.g500_empty_level
	mark uint64 // of the last level, the same on all ranks
}

// NewEmptyLevel returns an empty level, to be run any number of times. wait is the time limit for other ranks.
func (d *Device) NewEmptyLevel(wait time.Duration) (*EmptyLevel, error) {
	var c *C.g500_empty_level
	if err := check("preparing empty levels", C.g500_empty_level_create(C.uint64_t(wait), &c)); err != nil {
		return nil, d.Explain(err)
	}
	return &EmptyLevel{Allocated: d.hold("empty level", 0, func() { C.g500_empty_level_free(c) }), c: c}, nil
}

// Run runs the level on one of the ranks of m: its kernels write the first word of the first sent messages in m.Send,
// and read the first word of the message from each rank in m.Into. exchange puts the exchange on the stream; x checks
// it while the host waits. The level fails if another word arrives than was sent. All ranks call it for the same
// exchange.
func (l *EmptyLevel) Run(m Messages, rank, sent int, exchange func() error, x Exchanges) (err error) {
	defer func() {
		if err != nil {
			x.Abort(err)
		}
	}()
	const what = "running an empty level"
	l.mark++
	stream, place, ranks := l.device.onStream(), C.uint64_t(m.Place), len(m.Sent)
	send, received := unsafe.Pointer(pointer[byte](m.Send.address)), unsafe.Pointer(pointer[byte](m.Into.address))
	code := C.g500_empty_level_begin(l.c, send, C.uint32_t(sent), place, C.uint64_t(l.mark), stream)
	if err := check(what, code); err != nil {
		return err
	}
	if err := exchange(); err != nil {
		return err
	}
	code = C.g500_empty_level_end(l.c, received, C.uint32_t(ranks), C.uint32_t(rank), place, stream)
	if err := check(what, code); err != nil {
		return err
	}
	var arrived C.int
	var sum C.uint64_t
	for arrived == 0 {
		code := C.g500_empty_level_await(l.c, C.uint64_t(m.Into.bytes), &arrived, &sum, stream)
		if code == C.G500_ENDED_EARLY {
			return errors.New("cuda: an exchange between GPUs does not end: another rank may have failed; else try another " +
				"--gpu-transport, or look at the network of NCCL with NCCL_DEBUG=INFO")
		}
		if err := check(what, code); err != nil {
			return err
		}
		if err := x.Check(); err != nil {
			return err
		}
	}
	if want := l.mark * uint64(ranks-1); uint64(sum) != want {
		return fmt.Errorf("cuda: an exchange brings marks with the sum %d in place of %d: try another --gpu-transport",
			uint64(sum), want)
	}
	return nil
}
