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

// Ordered is a communicator on one rank whose exchanges are work of a stream, in order with kernels: its methods
// return when the exchange is on the stream, and do not wait for its end. The first exchange with a rank opens a
// connection and waits for that rank, so each kind of exchange is tried before time matters. An error of a call, and a
// call or a Wait that takes longer than its time limit, abort the communicator: later calls return the same error. One
// thread calls all methods but Abort.
//
// NCCL's other kind of communicator starts a thread for each exchange, and the next kernel may only be launched when
// that thread has ended: 65 to 80 us more for each exchange, measured on two H100.
type Ordered struct {
	library  *Library
	handle   C.g500_nccl_comm
	on       Stream
	rank     int
	wait     time.Duration // limit of a call, without the time for its bytes
	late     *time.Timer   // runs during a call
	messages []C.struct_g500_nccl_message
	calls    chan func() error     // to the thread of connect
	returns  chan error            // of calls, after the one of joining
	opened   bool                  // Opened was called
	open     func()                // ends connect
	fault    atomic.Pointer[error] // the cause of an abort
}

var errClosed = errors.New("nccl: the communicator is closed")

// Join creates a communicator of all ranks. It is collective. The time limit of each call is
// timeout.Exchange(wait, bytes). A call that never ends keeps its thread.
func (l *Library) Join(id ID, rank, ranks int, wait time.Duration, on Stream) (*Ordered, error) {
	o := &Ordered{library: l, on: on, rank: rank, wait: wait, calls: make(chan func() error),
		returns: make(chan error, 1)}
	opened := make(chan struct{})
	o.open = sync.OnceFunc(func() { close(opened) })
	go panics.Catch(func() { o.connect(id, ranks, opened) }, func(fault error) {
		if fault != nil {
			o.returns <- fault
		}
	})
	select {
	case err := <-o.returns:
		if err != nil {
			return nil, err
		}
	case <-time.After(wait):
		return nil, lateError("joining the ranks", rank, wait)
	}
	o.late = time.AfterFunc(time.Hour, func() {
		abort := func() { o.Abort(lateError("an exchange", rank, wait)) }
		panics.Catch(abort, func(fault error) {
			if fault != nil {
				o.fault.Store(&fault)
			}
		})
	})
	o.late.Stop()
	return o, nil
}

// connect joins the ranks, and makes calls until all connections are open.
func (o *Ordered) connect(id ID, ranks int, opened chan struct{}) {
	err := o.on.Enter()
	if err == nil {
		cID := (*C.g500_nccl_id)(unsafe.Pointer(&id))
		code := C.g500_nccl_join(o.library.functions, cID, C.int(o.rank), C.int(ranks), &o.handle)
		err = o.library.check("joining the ranks", code)
	}
	o.returns <- err
	for err == nil {
		select {
		case call := <-o.calls:
			o.returns <- call()
		case <-opened:
			return
		}
	}
}

// Opened is called when all connections are open. Before, another thread calls NCCL, which may ignore an abort while it
// connects.
func (o *Ordered) Opened() {
	o.opened = true
	o.open()
}

// call makes a call of NCCL, with the time limit for its bytes.
func (o *Ordered) call(doing string, bytes int64, call func() C.int) error {
	if fault := o.fault.Load(); fault != nil {
		return *fault
	}
	limit := timeout.Exchange(o.wait, bytes)
	o.late.Reset(limit)
	checked := func() error { return o.library.explain(o.handle, doing, call()) }
	var err error
	if o.opened {
		err = checked()
	} else {
		err = o.callElsewhere(checked, limit)
	}
	o.late.Stop()
	if err != nil {
		o.Abort(err)
	}
	if fault := o.fault.Load(); fault != nil {
		return *fault
	}
	return nil
}

// callElsewhere makes a call by the thread of connect. It does not wait longer than until an abort has failed.
func (o *Ordered) callElsewhere(call func() error, limit time.Duration) error {
	late, calls := time.After(limit+timeout.Abort), o.calls
	for {
		select {
		case calls <- call:
			calls = nil
		case err := <-o.returns:
			return err
		case <-late:
			return lateError("an exchange", o.rank, limit)
		}
	}
}

// Message is device memory for a rank, or from a rank.
type Message struct {
	At      uintptr // device address
	Bytes   int64
	Rank    int
	Receive bool
}

// AllGather fills `all` with the ranks' parts of that many bytes; own is this rank's part. Both are device addresses.
func (o *Ordered) AllGather(own, all uintptr, bytes int64) error {
	part := C.struct_g500_nccl_message{at: C.uintptr_t(own), bytes: C.size_t(bytes)}
	return o.call("an all-gather", bytes, func() C.int {
		return C.g500_nccl_all_gather(o.library.functions, o.handle, &part, C.uintptr_t(all), o.on.Stream())
	})
}

// Exchange sends and receives messages. Lengths agree on both sides; empty messages are left out by the caller.
func (o *Ordered) Exchange(all []Message) error {
	o.messages = o.messages[:0]
	bytes := int64(0)
	for _, m := range all {
		bytes += m.Bytes
		receive := C.int(0)
		if m.Receive {
			receive = 1
		}
		o.messages = append(o.messages, C.struct_g500_nccl_message{
			at: C.uintptr_t(m.At), bytes: C.size_t(m.Bytes), rank: C.int(m.Rank), receive: receive,
		})
	}
	if len(o.messages) == 0 {
		return nil
	}
	return o.call("an exchange of messages", bytes, func() C.int {
		return C.g500_nccl_exchange(o.library.functions, o.handle, &o.messages[0], C.int(len(o.messages)), o.on.Stream())
	})
}

// Wait waits for the end of the stream's work, with the time limit for that many bytes of exchanges.
func (o *Ordered) Wait(bytes int64) error {
	limit := timeout.Exchange(o.wait, bytes)
	late := time.After(limit)
	for pass := 0; ; pass++ {
		err := o.Check()
		done := false
		if err == nil {
			done, err = o.on.Done()
		}
		select {
		case <-late:
			if err == nil && !done {
				err = lateError("an exchange", o.rank, limit)
			}
		default:
		}
		if err != nil {
			o.Abort(err)
		}
		if err != nil || done {
			return err
		}
		rest(pass)
	}
}

// Check returns an error that NCCL has found since, such as the death of a rank.
func (o *Ordered) Check() error {
	if fault := o.fault.Load(); fault != nil {
		return *fault
	}
	var state C.int
	code := C.g500_nccl_async_error(o.library.functions, o.handle, &state)
	if err := o.library.explain(o.handle, "ncclCommGetAsyncError", code); err != nil {
		return err
	}
	return o.library.explain(o.handle, "an exchange", state)
}

// Abort ends the communicator and the exchanges that wait on this rank, from any goroutine. Other methods return the
// cause afterwards. If NCCL hangs, Abort returns after timeout.Abort.
func (o *Ordered) Abort(cause error) {
	if !o.fault.CompareAndSwap(nil, &cause) || o.handle == nil {
		return
	}
	o.open()
	o.library.abort(o.handle)
}

// Close ends the communicator, after all exchanges have ended.
func (o *Ordered) Close() { o.Abort(errClosed) }

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
