//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
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
}

// RunLevels is Run for ranks that are not peers (Ranks.Levels): the host starts each level, and x exchanges between
// them.
func (s *Search) RunLevels(root uint64, x Exchanges) error {
	code := C.g500_search_begin(s.c, C.uint64_t(root), &s.wanted, s.device.onStream())
	if err := check("starting a search", code); err != nil {
		return err
	}
	if err := s.exchangeUntil(C.G500_SEARCH_DONE, x); err != nil {
		return err
	}
	return s.ended(C.g500_search_await(s.c, s.device.onStream()))
}

// PrepareLevels exchanges what RunLevels needs of other ranks. It is called once, between Connect and the first search.
func (s *Search) PrepareLevels(x Exchanges) error {
	code := C.g500_search_prepare(s.c, &s.wanted, s.device.onStream())
	if err := check("preparing searches level by level", code); err != nil {
		return err
	}
	return s.exchangeUntil(C.G500_PREPARED, x)
}

// exchangeUntil makes the wanted exchanges until that kind is wanted. After an error no other search is possible; if
// not all ranks have ended at the same exchange, it aborts the exchanges, for which this rank's device would wait
// forever.
func (s *Search) exchangeUntil(done C.int, x Exchanges) error {
	for s.wanted.kind != done {
		err := s.exchange(x)
		if err != nil {
			C.g500_search_fail(s.c)
		} else if code := C.g500_search_next(s.c, &s.wanted, s.device.onStream()); code != 0 {
			err = s.ended(code)
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

// exchange makes the wanted exchange.
func (s *Search) exchange(x Exchanges) error {
	w := &s.wanted
	ranks, place := int64(s.ranks), int64(w.place)
	switch w.kind {
	case C.G500_WANTS_ALL_GATHER:
		bytes := int64(w.bytes)
		return x.AllGatherOn(s.device.memory(w.d_own, bytes), s.device.memory(w.d_all, ranks*bytes))
	case C.G500_WANTS_ALL_TO_ALL:
		return x.AllToAllOn(Messages{
			Send: s.device.memory(w.d_send, ranks*place), Into: s.device.memory(w.d_receive, ranks*place), Place: place,
			Sent: lengths(w.send_bytes, s.ranks), Received: lengths(w.receive_bytes, s.ranks), Longest: int64(w.longest),
		})
	}
	return x.Check()
}

func lengths(of *C.uint64_t, n int) []int64 { return unsafe.Slice((*int64)(unsafe.Pointer(of)), n) }
