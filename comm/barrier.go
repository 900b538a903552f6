// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// barrier makes a fixed number of goroutines wait for one another. It can be used again, until it is broken.
type barrier struct {
	missing atomic.Int32  // goroutines that have not arrived in this round
	round   atomic.Uint32 // rounds completed
	broken  atomic.Bool
	mu      sync.Mutex // held to change round or broken, so that a sleeping goroutine misses no change
	wake    sync.Cond
	n       int32
}

// spins is how often a goroutine yields before it sleeps: ranks mostly arrive together, and waking a sleeping goroutine
// takes several microseconds.
const spins = 64

func newBarrier(n int) *barrier {
	b := &barrier{n: int32(n)}
	b.wake.L = &b.mu
	b.missing.Store(b.n)
	return b
}

// wait returns when all goroutines have called it, with ErrAborted if the barrier is broken before.
func (b *barrier) wait() error {
	if b.broken.Load() {
		return ErrAborted
	}
	round := b.round.Load()
	if b.missing.Add(-1) == 0 {
		b.missing.Store(b.n)
		b.change(func() { b.round.Add(1) })
	}
	for i := 0; i < spins && !b.over(round); i++ {
		runtime.Gosched()
	}
	if !b.over(round) {
		b.sleep(round)
	}
	if b.round.Load() == round {
		return ErrAborted
	}
	return nil // all arrived, even if the barrier was broken afterwards
}

// abort breaks the barrier: all present and later calls of wait return ErrAborted.
func (b *barrier) abort() { b.change(func() { b.broken.Store(true) }) }

func (b *barrier) over(round uint32) bool { return b.round.Load() != round || b.broken.Load() }

func (b *barrier) sleep(round uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.over(round) {
		b.wake.Wait()
	}
}

func (b *barrier) change(f func()) {
	b.mu.Lock()
	f()
	b.mu.Unlock()
	b.wake.Broadcast()
}
