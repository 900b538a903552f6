//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Exchanger sends send[r] to rank r and fills the front of into[r] with what rank r sends here, as a host transport
// does; got[r] is that front.
type Exchanger func(send, into [][]byte) (got [][]byte, err error)

// carried is what a search keeps of its way to ranks that get messages: these in host memory, by rank.
type carried struct {
	letters    []C.g500_message // what goes, which the device says anew each time
	send, into [][]byte
}

func (s *Search) newCarried(ranks int) carried {
	c := carried{
		letters: unsafe.Slice(C.g500_search_letters(s.c), ranks),
		send:    make([][]byte, ranks), into: make([][]byte, ranks),
	}
	for r, room := range unsafe.Slice(C.g500_search_rooms(s.c), ranks) {
		c.into[r] = bytesOf(room)
	}
	return c
}

// bytesOf is a message's part of host memory.
func bytesOf(m C.g500_message) []byte { return unsafe.Slice((*byte)(m.at), m.bytes) }

// carry exchanges messages while a search is under way, until it ends. An exchange that fails ends it.
func (s *Search) carry(exchange Exchanger) error {
	var failed error
	var ready C.int
	answer := C.int(C.G500_NONE_YET)
	for s.carried.letters != nil {
		if err := check("waiting for a search's messages", C.g500_search_serve(s.c, answer, &ready, s.device.onStream())); err != nil {
			return errors.Join(failed, err)
		}
		if ready == 0 {
			break
		}
		if failed == nil {
			failed = s.carried.exchange(exchange)
		}
		answer = C.G500_CARRIED
		if failed != nil {
			answer = C.G500_NOT_CARRIED
		}
	}
	return failed
}

// headerBytes is the length of the shortest message.
const headerBytes = 48

func (c *carried) exchange(exchange Exchanger) error {
	for r, letter := range c.letters {
		c.send[r] = bytesOf(letter)
	}
	got, err := exchange(c.send, c.into)
	if err != nil {
		return err
	}
	for r, message := range got {
		if len(c.into[r]) > 0 && len(message) < headerBytes {
			return fmt.Errorf("cuda: rank %d sent %d bytes during a search, and not what its search says: are the ranks' programs the same?", r, len(message))
		}
	}
	return nil
}

// Unresolved gives positions of parents whose labels this rank has to ask for, as many as it may ask for at a time, in the
// place into which the labels go. None are left when it gives none.
func (s *Search) Unresolved() (positions Memory, n int64, err error) {
	var count C.uint32_t
	err = check("looking for wanted labels", C.g500_search_want(s.c, &count, s.device.onStream()))
	return s.device.run(unsafe.Pointer(C.g500_search_wanted(s.c)), wordBytes*int64(count)), int64(count), err
}

// Resolve takes the labels of the n positions.
func (s *Search) Resolve(n int64) error {
	return check("storing wanted labels", C.g500_search_settle(s.c, C.uint32_t(n), s.device.onStream()))
}

// Finish finishes the tree of a search from root when all its labels are there.
func (s *Search) Finish(root uint32) error {
	if err := check("finishing a search", C.g500_search_finish(s.c, C.uint32_t(root), s.device.onStream())); err != nil {
		return err
	}
	return s.device.Synchronize()
}
