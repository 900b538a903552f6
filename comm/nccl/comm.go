//go:build cgo

package nccl

// #include "library.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

// Stream is a CUDA stream.
type Stream interface {
	// Handle returns CUDA's handle of the stream.
	Handle() unsafe.Pointer
	// Done reports whether all work of the stream is done. It does not wait.
	Done() (bool, error)
}

// Comm is a communicator on one rank. Messages are in device memory, in slices that Go does not access. The methods
// wait until their messages have arrived. After an error no further call succeeds.
type Comm struct {
	library     *Library
	handle      C.g500_nccl_comm
	rank, ranks int
	wait        time.Duration
	messages    []C.struct_g500_nccl_message
	fault       error
}

// slowest is the lowest rate of a working network, in bytes per second.
const slowest = 16 << 20

var errClosed = errors.New("nccl: the communicator is closed")

// Join creates a communicator of all ranks, on the current GPU. The time limit of each call is wait, plus one second
// per 16 MiB of messages. It is collective.
func (l *Library) Join(id ID, rank, ranks int, wait time.Duration) (*Comm, error) {
	c := &Comm{library: l, rank: rank, ranks: ranks, wait: wait}
	cID := (*C.g500_nccl_id)(unsafe.Pointer(&id))
	code := C.g500_nccl_join(l.functions, cID, C.int(rank), C.int(ranks), 0, &c.handle)
	return c, c.finish("joining the ranks", code, 0, nil)
}

// AllGather fills all with the ranks' parts, of equal length; this rank's part is already in place. It is collective.
func (c *Comm) AllGather(all []byte, s Stream) error {
	if c.fault != nil {
		return c.fault
	}
	part := len(all) / c.ranks
	if part*c.ranks != len(all) {
		return fmt.Errorf("nccl: AllGather of %d bytes does not divide among %d ranks", len(all), c.ranks)
	}
	if part == 0 {
		return nil
	}
	own := message(c.rank, all[c.rank*part:][:part], 0)
	code := C.g500_nccl_all_gather(c.library.functions, c.handle, &own, address(all), s.Handle())
	return c.finish("AllGather", code, len(all), s)
}

// Exchange sends send[r] to each rank r and fills into[r] with the message of rank r, which has the same length. Empty
// messages are not sent. Ranks that exchange messages call it at the same time.
func (c *Comm) Exchange(send, into [][]byte, s Stream) error {
	if c.fault != nil {
		return c.fault
	}
	if len(send) != c.ranks || len(into) != c.ranks {
		return fmt.Errorf("nccl: an exchange with %d and %d messages for %d ranks", len(send), len(into), c.ranks)
	}
	c.messages = c.messages[:0]
	bytes := 0
	for i := range c.ranks { // so that not all ranks send to the same one at once
		to, from := (c.rank+i)%c.ranks, (c.rank+c.ranks-i)%c.ranks
		if len(send[to]) > 0 {
			c.messages = append(c.messages, message(to, send[to], 0))
		}
		if len(into[from]) > 0 {
			c.messages = append(c.messages, message(from, into[from], 1))
		}
		bytes += len(send[to]) + len(into[from])
	}
	if len(c.messages) == 0 {
		return nil
	}
	code := C.g500_nccl_exchange(c.library.functions, c.handle, &c.messages[0], C.int(len(c.messages)), s.Handle())
	return c.finish("exchanging messages", code, bytes, s)
}

func message(rank int, m []byte, receive C.int) C.struct_g500_nccl_message {
	return C.struct_g500_nccl_message{at: address(m), bytes: C.size_t(len(m)), rank: C.int(rank), receive: receive}
}

func address(m []byte) C.uintptr_t { return C.uintptr_t(uintptr(unsafe.Pointer(unsafe.SliceData(m)))) }

// finish waits for a started call, and then for the stream, if there is one. An error ends the communicator.
func (c *Comm) finish(doing string, code C.int, bytes int, s Stream) error {
	err := c.library.check(doing, code)
	if err == nil {
		err = c.poll(doing, c.wait+time.Second*time.Duration(bytes/slowest), s)
	}
	if err != nil {
		c.end(err)
	}
	return err
}

// poll polls NCCL and the stream until the call is done, an error occurs or the limit has passed.
func (c *Comm) poll(doing string, limit time.Duration, s Stream) error {
	late := time.After(limit)
	for pass := 0; ; pass++ {
		var state C.int
		err := c.library.check("ncclCommGetAsyncError", C.g500_nccl_async_error(c.library.functions, c.handle, &state))
		if err == nil {
			err = c.library.explain(c.handle, doing, state)
		}
		done := state == C.G500_NCCL_SUCCESS
		if err == nil && done && s != nil {
			done, err = s.Done()
		}
		if err != nil || done {
			return err
		}
		select {
		case <-late:
			return lateError(doing, c.rank, limit)
		default:
			rest(pass)
		}
	}
}

func lateError(doing string, rank int, limit time.Duration) error {
	return fmt.Errorf("nccl: %s has not ended on rank %d in %v: another rank may have failed, or NCCL uses a network "+
		"without a connection to it; NCCL_DEBUG=INFO shows the network, NCCL_SOCKET_IFNAME and NCCL_NET select one",
		doing, rank, limit)
}

// explain returns the error of a communicator's state, with NCCL's last message.
func (l *Library) explain(handle C.g500_nccl_comm, doing string, state C.int) error {
	err := l.check(doing, state)
	if err == nil {
		return nil
	}
	if last := C.GoString(C.g500_nccl_last_error(l.functions, handle)); last != "" {
		err = fmt.Errorf("%w: %s", err, last)
	}
	return err
}

// rest yields between two polls, and sleeps after many: a short exchange ends before a thread would wake up.
func rest(pass int) {
	const eager = 2000
	if pass < eager {
		runtime.Gosched()
		return
	}
	time.Sleep(50 * time.Microsecond)
}

// Close aborts the communicator without waiting for other ranks, which must have received all their messages.
func (c *Comm) Close() { c.end(errClosed) }

// end aborts the communicator; further calls return the error. If NCCL hangs in the abort, end returns after the time
// limit.
func (c *Comm) end(fault error) {
	if c.fault != nil {
		return
	}
	c.fault = fault
	if c.handle == nil {
		return
	}
	c.library.abort(c.handle, c.wait)
}

// abort aborts a communicator. If NCCL hangs, it returns after the time limit.
func (l *Library) abort(handle C.g500_nccl_comm, limit time.Duration) {
	ended := make(chan struct{})
	go func() {
		C.g500_nccl_abort(l.functions, handle)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(limit):
	}
}
