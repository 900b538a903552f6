//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Content is what messages of a search have beside headers.
type Content int

// Messages have what was reached, as pairs or words of a bitmap; in the place of pairs queries or replies; or words of
// a bitmap with all bits, if queries would be larger.
const (
	Reached Content = C.G500_REACHED
	Queries Content = C.G500_QUERIES
	Replies Content = C.G500_REPLIES
	AllBits Content = C.G500_ALL_BITS
)

// Exchanger sends send[r] to rank r and fills the front of into[r] with what rank r sends here, as a host transport
// does; got[r] is that front.
type Exchanger func(what Content, send, into [][]byte) (got [][]byte, err error)

// hostProxy carries a search's messages between hosts. Its buffers lie in host memory, by rank.
type hostProxy struct {
	sendBuffers []C.g500_message // what goes now; the device sets them anew each time
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

// bytesOf is a message's part of host memory.
func bytesOf(m C.g500_message) []byte { return unsafe.Slice((*byte)(m.at), m.bytes) }

// serve exchanges messages while a search is under way, until it ends. An exchange that fails ends it.
func (s *Search) serve(exchange Exchanger) error {
	if s.proxy == nil {
		return nil
	}
	var failed error
	var ready C.int
	answer := C.int(C.G500_NO_MESSAGES_YET)
	for {
		code := C.g500_search_serve(s.c, answer, &ready, s.device.onStream())
		if err := check("waiting for a search's messages", code); err != nil {
			return errors.Join(failed, err)
		}
		if ready == C.G500_ENDED {
			return failed
		}
		if failed == nil {
			failed = s.proxy.deliver(Content(ready), exchange)
		}
		answer = C.G500_DELIVERED
		if failed != nil {
			answer = C.G500_NOT_DELIVERED
		}
	}
}

// deliver exchanges the messages that are ready.
func (p *hostProxy) deliver(what Content, exchange Exchanger) error {
	for r, buffer := range p.sendBuffers {
		p.send[r] = bytesOf(buffer)
	}
	got, err := exchange(what, p.send, p.receive)
	if err != nil {
		return err
	}
	for r, message := range got {
		if len(p.receive[r]) > 0 && len(message) < C.G500_HEADER_BYTES {
			return fmt.Errorf("cuda: rank %d sent %d bytes during a search, less than a message's header: "+
				"are the ranks' programs the same?", r, len(message))
		}
	}
	return nil
}
