//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Content is the content of a search's messages after their headers.
type Content int

// The contents of messages.
const (
	Reached Content = C.G500_REACHED  // visited vertices, as pairs or words of a bitmap
	Queries Content = C.G500_QUERIES  // queries, in place of pairs
	Replies Content = C.G500_REPLIES  // replies, in place of pairs
	AllBits Content = C.G500_ALL_BITS // all words of a bitmap, if queries would be larger
)

// Exchanger sends send[r] to rank r and writes the message from rank r to the front of into[r], which is got[r].
type Exchanger func(content Content, send, into [][]byte) (got [][]byte, err error)

// hostProxy exchanges a search's messages through buffers in host memory, by rank.
type hostProxy struct {
	sendBuffers []C.g500_message // messages to send, which the device sets for each exchange
	send        [][]byte
	receive     [][]byte
}

func (s *Search) newHostProxy(ranks int) *hostProxy {
	p := &hostProxy{
		sendBuffers: unsafe.Slice(C.g500_search_send_buffers(s.c), ranks),
		send:        make([][]byte, ranks), receive: make([][]byte, ranks),
	}
	for r, buffer := range unsafe.Slice(C.g500_search_receive_buffers(s.c), ranks) {
		p.receive[r] = bytesOf(buffer)
	}
	return p
}

// bytesOf returns the host memory of a message.
func bytesOf(m C.g500_message) []byte { return unsafe.Slice((*byte)(m.at), m.bytes) }

// serve exchanges messages until a search ends. A failed exchange ends the search.
func (s *Search) serve(exchange Exchanger) error {
	if s.proxy == nil {
		return nil
	}
	var failed error
	var ready C.int
	state := C.int(C.G500_NO_MESSAGES_YET)
	for {
		code := C.g500_search_serve(s.c, state, &ready, s.device.onStream())
		if err := check("waiting for a search's messages", code); err != nil {
			return errors.Join(failed, err)
		}
		if ready == C.G500_ENDED {
			return failed
		}
		if failed == nil {
			failed = s.proxy.deliver(Content(ready), exchange)
		}
		state = C.G500_DELIVERED
		if failed != nil {
			state = C.G500_NOT_DELIVERED
		}
	}
}

// deliver exchanges the messages that are ready.
func (p *hostProxy) deliver(content Content, exchange Exchanger) error {
	for r, buffer := range p.sendBuffers {
		p.send[r] = bytesOf(buffer)
	}
	got, err := exchange(content, p.send, p.receive)
	if err != nil {
		return err
	}
	for r, message := range got {
		if len(p.receive[r]) > 0 && len(message) < C.G500_HEADER_BYTES {
			return fmt.Errorf("cuda: rank %d sent %d bytes during a search, less than a message's header: "+
				"run the same version of g500 on all ranks", r, len(message))
		}
	}
	return nil
}

// FindLeafQueries returns this rank's queries about neighbours of leaves, in query mode: counts[r] 64-bit words for
// rank r, in the order of ranks. It is called between Connect and the first search.
func (s *Search) FindLeafQueries(ranks int) (counts []int64, words Memory, err error) {
	counts = make([]int64, ranks)
	var at *C.uint64_t
	into := (*C.uint64_t)(unsafe.Pointer(&counts[0]))
	code := C.g500_search_find_leaf_queries(s.c, into, &at, s.device.onStream())
	if err := check("finding queries for leaves", code); err != nil {
		return nil, Memory{}, s.device.withHoldings(err)
	}
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return counts, s.device.memory(unsafe.Pointer(at), 8*sum), nil
}

// TakeLeafQueries stores the other ranks' queries to this rank, in the same order. most is the largest count of
// FindLeafQueries on any rank.
func (s *Search) TakeLeafQueries(counts []int64, words []uint64, most int64) error {
	var held runtime.Pinner
	defer held.Unpin()
	list := unsafe.SliceData(words)
	if list != nil {
		held.Pin(list)
	}
	code := C.g500_search_take_leaf_queries(s.c, (*C.uint64_t)(unsafe.Pointer(&counts[0])),
		(*C.uint64_t)(unsafe.Pointer(list)), C.uint64_t(most), s.device.onStream())
	return s.device.withHoldings(check("taking queries for leaves", code))
}
