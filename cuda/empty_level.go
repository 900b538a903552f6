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

// EmptyLevel is the work of a level of a search that the host drives (RunLevels), without vertices: a kernel, an
// exchange, a kernel, and the host's poll of the sum that the second kernel sends.
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

// Run runs the level with the messages of m: its kernels write and read the first word of each. exchange puts the
// exchange on the stream; x checks it while the host waits. The level fails if another word arrives than was sent. All
// ranks call it for the same exchange.
func (l *EmptyLevel) Run(m LevelMessages, exchange func() error, x Exchanges) error {
	err := l.run(m, exchange, x)
	if err != nil {
		x.Abort(err)
	}
	return err
}

// LevelMessages are the messages of an empty level on one rank: Sent of them, at multiples of Place bytes in Send, and
// one of each rank, at multiples of Place bytes in Received, of which Rank is this rank.
type LevelMessages struct {
	Send, Received Memory
	Place          int64
	Sent           int
	Rank, Ranks    int
}

func (l *EmptyLevel) run(m LevelMessages, exchange func() error, x Exchanges) error {
	const what = "running an empty level"
	l.mark++
	stream, place := l.device.onStream(), C.uint64_t(m.Place)
	send, received := unsafe.Pointer(pointer[byte](m.Send.address)), unsafe.Pointer(pointer[byte](m.Received.address))
	code := C.g500_empty_level_begin(l.c, send, C.uint32_t(m.Sent), place, C.uint64_t(l.mark), stream)
	if err := check(what, code); err != nil {
		return err
	}
	if err := exchange(); err != nil {
		return err
	}
	code = C.g500_empty_level_end(l.c, received, C.uint32_t(m.Ranks), C.uint32_t(m.Rank), place, stream)
	if err := check(what, code); err != nil {
		return err
	}
	var arrived C.int
	var sum C.uint64_t
	for arrived == 0 {
		code := C.g500_empty_level_await(l.c, C.uint64_t(m.Received.bytes), &arrived, &sum, stream)
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
	if want := l.mark * uint64(m.Ranks-1); uint64(sum) != want {
		return fmt.Errorf("cuda: an exchange brings marks with the sum %d in place of %d: try another --gpu-transport",
			uint64(sum), want)
	}
	return nil
}
