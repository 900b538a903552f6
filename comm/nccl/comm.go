// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package nccl

// #include "library.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"g500/internal/panics"
	"g500/internal/timeout"
)

// Stream is the CUDA stream of a GPU.
type Stream interface {
	// Enter makes the GPU current in the calling thread.
	Enter() error
	// Stream returns CUDA's handle of the stream.
	Stream() unsafe.Pointer
	// Done reports whether all work of the stream is done. It does not wait.
	Done() (bool, error)
}

// Comm is a communicator on one rank whose exchanges are work of a stream, in order with kernels: its methods return
// when the exchange is on the stream, and do not wait for its end. The first exchange with a rank opens a connection
// and waits for that rank, so each kind of exchange is tried before time matters. An error of a call, and a call or a
// Wait that takes longer than its time limit, abort the communicator: later calls return the same error. One thread
// calls all methods but Abort.
//
// NCCL's other kind of communicator starts a thread for each exchange, and the next kernel may only be launched when
// that thread has ended: 65 to 80 us more for each exchange, measured on two H100.
type Comm struct {
	library *Library
	handle  C.g500_nccl_comm
	on      Stream
	rank    int
	wait    time.Duration // limit of a call, without the time for its bytes
	limit   atomic.Int64  // of the present call or Wait, in nanoseconds
	late    *time.Timer   // aborts after limit
	next    exchange
	state   C.int                 // of Check
	calls   chan struct{}         // to the thread of connect, which submits next
	returns chan error            // of calls, after the one of joining
	opened  bool                  // Opened was called
	open    func()                // ends connect
	fault   atomic.Pointer[error] // the cause of an abort
}

// exchange is an exchange of messages, or an all-gather of the first one. It is reused.
type exchange struct {
	messages []C.struct_g500_nccl_message
	gathers  bool
	all      C.uintptr_t // destination of the all-gather
}

var errClosed = errors.New("nccl: the communicator is closed")

// Join creates a communicator of all ranks. It is collective. The time limit of each call is
// timeout.Exchange(wait, bytes). A call that never ends keeps its thread.
func (l *Library) Join(id ID, rank, ranks int, wait time.Duration, on Stream) (*Comm, error) {
	c := &Comm{library: l, on: on, rank: rank, wait: wait, calls: make(chan struct{}), returns: make(chan error, 1)}
	opened := make(chan struct{})
	c.open = sync.OnceFunc(func() { close(opened) })
	go panics.Catch(func() { c.connect(id, ranks, opened) }, func(fault error) {
		if fault != nil {
			c.returns <- fault
		}
	})
	select {
	case err := <-c.returns:
		if err != nil {
			return nil, err
		}
	case <-time.After(wait):
		return nil, lateError("joining the ranks", rank, wait)
	}
	c.late = time.AfterFunc(time.Hour, func() {
		panics.Catch(func() { c.Abort(c.lateExchange()) }, func(fault error) {
			if fault != nil {
				c.fault.Store(&fault)
			}
		})
	})
	c.late.Stop()
	return c, nil
}

// connect joins the ranks, and makes calls until all connections are open.
func (c *Comm) connect(id ID, ranks int, opened chan struct{}) {
	err := c.on.Enter()
	if err == nil {
		cID := (*C.g500_nccl_id)(unsafe.Pointer(&id))
		code := C.g500_nccl_join(c.library.functions, cID, C.int(c.rank), C.int(ranks), &c.handle)
		err = c.library.check("joining the ranks", code)
	}
	c.returns <- err
	for err == nil {
		select {
		case <-c.calls:
			c.returns <- c.submit()
		case <-opened:
			return
		}
	}
}

// Opened is called when all connections are open. Before, another thread calls NCCL, which may ignore an abort while it
// connects.
func (c *Comm) Opened() {
	c.opened = true
	c.open()
}

// begin starts the time limit of a call or a Wait for that many bytes. It returns the cause if the communicator was
// aborted.
func (c *Comm) begin(bytes int64) error {
	if fault := c.fault.Load(); fault != nil {
		return *fault
	}
	limit := timeout.Exchange(c.wait, bytes)
	c.limit.Store(int64(limit))
	c.late.Reset(limit)
	return nil
}

// end ends the time limit. It aborts the communicator after an error, and returns the first cause of an abort.
func (c *Comm) end(err error) error {
	c.late.Stop()
	if err != nil {
		c.Abort(err)
	}
	if fault := c.fault.Load(); fault != nil {
		return *fault
	}
	return nil
}

// submit puts the next exchange on the stream.
func (c *Comm) submit() error {
	x, on := &c.next, c.on.Stream()
	if x.gathers {
		code := C.g500_nccl_all_gather(c.library.functions, c.handle, &x.messages[0], x.all, on)
		return c.library.explain(c.handle, "an all-gather", code)
	}
	code := C.g500_nccl_exchange(c.library.functions, c.handle, &x.messages[0], C.int(len(x.messages)), on)
	return c.library.explain(c.handle, "an exchange of messages", code)
}

// connecting makes the thread of connect submit the next exchange. It does not wait longer than until an abort has
// failed.
func (c *Comm) connecting() error {
	late, calls := time.After(time.Duration(c.limit.Load())+timeout.Abort), c.calls
	for {
		select {
		case calls <- struct{}{}:
			calls = nil
		case err := <-c.returns:
			return err
		case <-late:
			return c.lateExchange()
		}
	}
}

// start submits the next exchange. It allocates no memory once all connections are open.
func (c *Comm) start() error {
	if c.opened {
		return c.end(c.submit())
	}
	return c.end(c.connecting())
}

// Message is device memory for a rank, or from a rank.
type Message struct {
	At      uintptr // device address
	Bytes   int64
	Rank    int
	Receive bool
}

// AllGather fills `all` with the ranks' parts of that many bytes; own is this rank's part. Both are device addresses.
func (c *Comm) AllGather(own, all uintptr, bytes int64) error {
	if err := c.begin(bytes); err != nil {
		return err
	}
	c.next.gathers, c.next.all = true, C.uintptr_t(all)
	part := C.struct_g500_nccl_message{at: C.uintptr_t(own), bytes: C.size_t(bytes)}
	c.next.messages = append(c.next.messages[:0], part)
	return c.start()
}

// Exchange sends and receives messages. Lengths agree on both sides; empty messages are left out by the caller.
func (c *Comm) Exchange(all []Message) error {
	bytes := int64(0)
	for _, m := range all {
		bytes += m.Bytes
	}
	if len(all) == 0 {
		return nil
	}
	if err := c.begin(bytes); err != nil {
		return err
	}
	c.next.gathers, c.next.messages = false, c.next.messages[:0]
	for _, m := range all {
		receive := C.int(0)
		if m.Receive {
			receive = 1
		}
		c.next.messages = append(c.next.messages, C.struct_g500_nccl_message{
			at: C.uintptr_t(m.At), bytes: C.size_t(m.Bytes), rank: C.int(m.Rank), receive: receive,
		})
	}
	return c.start()
}

// Wait waits for the end of the stream's work, with the time limit for that many bytes of exchanges.
func (c *Comm) Wait(bytes int64) error {
	err := c.begin(bytes)
	for pass := 0; err == nil; pass++ {
		var done bool
		if err = c.Check(); err == nil {
			done, err = c.on.Done()
		}
		if done {
			break
		}
		rest(pass)
	}
	return c.end(err)
}

// Check returns an error that NCCL has found since, such as the death of a rank.
func (c *Comm) Check() error {
	if fault := c.fault.Load(); fault != nil {
		return *fault
	}
	code := C.g500_nccl_async_error(c.library.functions, c.handle, &c.state)
	if err := c.library.explain(c.handle, "ncclCommGetAsyncError", code); err != nil {
		return err
	}
	return c.library.explain(c.handle, "an exchange", c.state)
}

// Abort ends the communicator and the exchanges that wait on this rank, from any goroutine. Other methods return the
// cause afterwards. If NCCL hangs, Abort returns after timeout.Abort.
func (c *Comm) Abort(cause error) {
	if !c.fault.CompareAndSwap(nil, &cause) || c.handle == nil {
		return
	}
	c.open()
	c.library.abort(c.handle)
}

// Close ends the communicator, after all exchanges have ended.
func (c *Comm) Close() { c.Abort(errClosed) }

// lateExchange returns the error of an exchange that exceeds its limit.
func (c *Comm) lateExchange() error {
	return lateError("an exchange", c.rank, time.Duration(c.limit.Load()))
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

// abort aborts a communicator. If NCCL hangs, it returns after timeout.Abort.
func (l *Library) abort(handle C.g500_nccl_comm) {
	ended := make(chan struct{})
	go panics.Catch(func() { C.g500_nccl_abort(l.functions, handle) }, func(error) { close(ended) })
	select {
	case <-ended:
	case <-time.After(timeout.Abort):
	}
}
