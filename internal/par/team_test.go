// SPDX-License-Identifier: Apache-2.0

package par

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"g500/internal/expect"
)

// Helpers end some time after the last loop, and the next loop starts them again.
func TestHelpersEnd(t *testing.T) {
	const workers = 4
	before := runtime.NumGoroutine()
	for range 3 {
		var count atomic.Int32
		Each(workers, func(int) { count.Add(1) })
		if count.Load() != workers {
			t.Fatalf("%d calls, want %d", count.Load(), workers)
		}
		for runtime.NumGoroutine() > before {
			runtime.Gosched()
		}
	}
}

// A held helper mostly still waits after a time in which others end. Helpers are held if there are enough cores.
func TestHold(t *testing.T) {
	defer ShareCores(int(cores.Load()))
	release := Hold(2)
	for share := range 4 {
		ShareCores(share)
		if isHeld() != (share >= 2) {
			t.Errorf("2 workers on %d cores: held %v", share, isHeld())
		}
	}
	waits := 0
	const attempts = 20
	for range attempts {
		Wake(2)
		for range 10 * patience {
			wait(1)
		}
		team := takeTeam()
		if team.helpers[0].polling.Load() {
			waits++
		}
		team.giveBack()
	}
	if waits <= attempts/2 {
		t.Errorf("the helper waited %d times of %d", waits, attempts)
	}
	if release(); isHeld() {
		t.Error("held after the release")
	}
}

// For returns after the last piece, also if a helper has it.
func TestForWaitsForHelpers(t *testing.T) {
	var begun, ended atomic.Bool
	For(2, 2, 1, func(worker, _, _ int) {
		if worker == 0 {
			for !begun.Load() {
				runtime.Gosched()
			}
			return
		}
		begun.Store(true)
		for range 1000 {
			runtime.Gosched()
		}
		ended.Store(true)
	})
	if !ended.Load() {
		t.Error("For returned before the helper's piece was done")
	}
}

// Loops of several callers at a time, and loops within loops, cover each index once.
func TestLoopsAtTheSameTime(t *testing.T) {
	const callers, loops, n = 3, 200, 100
	var calls sync.WaitGroup
	var sum atomic.Int64
	for range callers {
		calls.Go(func() {
			for range loops {
				For(2, 2, 1, func(_, _, _ int) {
					For(3, n, 7, func(_, lo, hi int) { sum.Add(int64(hi - lo)) })
				})
			}
		})
	}
	calls.Wait()
	expect.Equal(t, sum.Load(), int64(callers*loops*2*n), "indices")
}

// Helpers that an earlier loop of more workers has started take no part in a loop of fewer.
func TestSmallLoopAfterALargeOne(t *testing.T) {
	const few = 2
	var wrong atomic.Int32
	for range 30 {
		Wake(5)
		For(few, 50, 1, func(worker, _, _ int) {
			if worker >= few {
				wrong.Add(1)
			}
			for range 20 {
				runtime.Gosched()
			}
		})
	}
	if n := wrong.Load(); n > 0 {
		t.Errorf("%d pieces by workers from %d on", n, few)
	}
}

// If some workers do not begin, the others wait only once in all.
func TestWakeWithoutWorkers(t *testing.T) {
	var awake atomic.Int64
	const all = 100
	if polls := meet(&awake, all); polls < longWait || polls > longWait+1 {
		t.Errorf("the first of %d workers gave up after %d polls", all, polls)
	}
	if polls := meet(&awake, all); polls > 0 {
		t.Errorf("the second worker waited for %d polls", polls)
	}
}

// However many threads poll, each about a microsecond at a time, they take turns at most once in 5 us.
func TestTurnsAreRare(t *testing.T) {
	for threads := 1; threads <= 1024; threads *= 2 {
		if polls := pollsPerTurn(threads); polls < 5*threads || polls < 16 {
			t.Errorf("%d threads take turns after %d polls", threads, polls)
		}
	}
}

// After Wake, the helpers of all workers poll, unless the system delays this test.
func TestWake(t *testing.T) {
	const workers = 5
	polling := func() (n int) {
		team := takeTeam()
		defer team.giveBack()
		for _, h := range team.helpers {
			if h.polling.Load() {
				n++
			}
		}
		return n
	}
	for range 1000 {
		if Wake(workers); polling() >= workers-1 {
			return
		}
	}
	t.Error("no call of Wake left all helpers polling")
}
