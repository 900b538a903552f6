//go:build cgo

package nccl

// #include "library.h"
import "C"

import (
	"cmp"
	"sync/atomic"
	"time"
	"unsafe"

	"g500/internal/panics"
)

// Ordered is a communicator on one rank whose exchanges are work of a stream, in order with kernels: its methods
// return when the exchange is on the stream, and do not wait for its end. The first exchange with a rank opens a
// connection and waits for that rank, so each kind of exchange is tried before time matters. A call that takes longer
// than the time limit aborts the communicator. One thread calls all methods but Abort.
//
// NCCL's other kind of communicator, which Comm uses, starts a thread for each exchange, and the next kernel may only
// be launched when that thread has ended: 65 to 80 us more for each exchange, measured on two H100.
type Ordered struct {
	library  *Library
	handle   C.g500_nccl_comm
	rank     int
	wait     time.Duration // limit of a call, without the time for its bytes
	late     *time.Timer   // runs during a call
	messages []C.struct_g500_nccl_message
	fault    atomic.Pointer[error] // the cause of an abort
}

// JoinOrdered creates such a communicator of all ranks. It is collective. The time limit of each call is wait, plus one
// second per 16 MiB of messages. enter makes the GPU current in the calling thread; a call that never ends keeps that
// thread.
func (l *Library) JoinOrdered(id ID, rank, ranks int, wait time.Duration, enter func() error) (*Ordered, error) {
	o := &Ordered{library: l, rank: rank, wait: wait}
	joined := make(chan error, 1)
	var err error
	go panics.Catch(func() {
		if err = enter(); err == nil {
			cID := (*C.g500_nccl_id)(unsafe.Pointer(&id))
			code := C.g500_nccl_join(l.functions, cID, C.int(rank), C.int(ranks), 1, &o.handle)
			err = l.check("joining the ranks", code)
		}
	}, func(fault error) { joined <- cmp.Or(fault, err) })
	select {
	case err := <-joined:
		if err != nil {
			return nil, err
		}
	case <-time.After(wait):
		return nil, lateError("joining the ranks", rank, wait)
	}
	o.late = time.AfterFunc(time.Hour, func() {
		abort := func() { o.Abort(lateError("an exchange", rank, wait), wait) }
		panics.Catch(abort, func(fault error) {
			if fault != nil {
				o.fault.Store(&fault)
			}
		})
	})
	o.late.Stop()
	return o, nil
}

// call makes a call of NCCL, with the time limit for its bytes.
func (o *Ordered) call(doing string, bytes int64, call func() C.int) error {
	if fault := o.fault.Load(); fault != nil {
		return *fault
	}
	o.late.Reset(o.wait + time.Second*time.Duration(bytes/slowest))
	err := o.library.explain(o.handle, doing, call())
	o.late.Stop()
	if fault := o.fault.Load(); fault != nil {
		return *fault
	}
	return err
}

// Message is device memory for a rank, or from a rank.
type Message struct {
	At      uintptr // device address
	Bytes   int64
	Rank    int
	Receive bool
}

// AllGather fills `all` with the ranks' parts of that many bytes; own is this rank's part. Both are device addresses.
func (o *Ordered) AllGather(own, all uintptr, bytes int64, stream unsafe.Pointer) error {
	part := C.struct_g500_nccl_message{at: C.uintptr_t(own), bytes: C.size_t(bytes)}
	return o.call("an all-gather", bytes, func() C.int {
		return C.g500_nccl_all_gather(o.library.functions, o.handle, &part, C.uintptr_t(all), stream)
	})
}

// Exchange sends and receives messages. Lengths agree on both sides; empty messages are left out by the caller.
func (o *Ordered) Exchange(all []Message, stream unsafe.Pointer) error {
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
		return C.g500_nccl_exchange(o.library.functions, o.handle, &o.messages[0], C.int(len(o.messages)), stream)
	})
}

// Wait waits for the end of the stream's work, with the time limit for that many bytes of exchanges. After an error the
// communicator is aborted.
func (o *Ordered) Wait(bytes int64, s Stream) error {
	limit := o.wait + time.Second*time.Duration(bytes/slowest)
	late := time.After(limit)
	for pass := 0; ; pass++ {
		err := o.Check()
		done := false
		if err == nil {
			done, err = s.Done()
		}
		select {
		case <-late:
			if err == nil && !done {
				err = lateError("an exchange", o.rank, limit)
			}
		default:
		}
		if err != nil {
			o.Abort(err, o.wait)
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
// cause afterwards. If NCCL hangs, Abort returns after the time limit.
func (o *Ordered) Abort(cause error, limit time.Duration) {
	if !o.fault.CompareAndSwap(nil, &cause) || o.handle == nil {
		return
	}
	o.library.abort(o.handle, limit)
}

// Close ends the communicator, after all exchanges have ended.
func (o *Ordered) Close(limit time.Duration) { o.Abort(errClosed, limit) }
