// SPDX-License-Identifier: Apache-2.0

package par

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"g500/comm/commtest"
	"g500/internal/expect"
)

func TestForCoversEachIndexOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for _, n := range []int{0, 1, 5, 64, 1001} {
			for _, grain := range []int{1, 3, 64, 5000} {
				seen := make([]atomic.Int32, n)
				For(workers, n, grain, func(worker, lo, hi int) {
					expect.That(t, worker >= 0 && worker < workers && hi-lo <= grain && lo < hi,
						"worker %d of %d got [%d, %d) with grain %d", worker, workers, lo, hi, grain)
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
				})
				length := func(_, lo, hi int) int64 { return int64(hi - lo) }
				expect.Equal(t, Sum(workers, n, grain, length), int64(n), workers, "workers, n", n, "grain", grain,
					"pieces have", "indices")
				for i := range seen {
					expect.Equal(t, seen[i].Load(), 1, workers, "workers, n", n, "grain", grain, "index", i, "was handled", "times")
				}
			}
		}
	}
}

func TestFirst(t *testing.T) {
	for _, at := range []int{0, 3, 800, 5000} {
		expect.Equal(t, First(7, 1001, func(i int) bool { return i >= at }), min(at, 1001))
	}
}

// Few indices are divided among all workers, and many into pieces of the largest length.
func TestGrain(t *testing.T) {
	for _, c := range []struct{ workers, n, want int }{
		{64, 1, 32}, {64, 36_130, 70}, {64, 1 << 24, 4096}, {2, 1 << 10, 64},
	} {
		expect.Equal(t, Grain(c.workers, c.n, 32, 4096), c.want, c.workers, "workers,", c.n, "indices, of a piece")
	}
}

func TestSumUp(t *testing.T) {
	for _, workers := range []int{1, 3, 64} {
		for _, n := range []int{0, 1, 2, 100} {
			v := make([]int64, n)
			for i := range v {
				v[i] = int64(i)
			}
			SumUp(workers, v)
			for i, sum := range v {
				expect.Equal(t, sum, int64(i*(i+1)/2), workers, "workers, the sum up to", i)
			}
		}
	}
}

// Each worker begins with its own share of the indices, if all workers begin together.
func TestWorkersHaveShares(t *testing.T) {
	const workers, n = 3, 300
	for range 1000 {
		var first [workers]atomic.Int64
		var begun atomic.Int64
		For(workers, n, 1, func(worker, lo, _ int) {
			if first[worker].CompareAndSwap(0, int64(lo)+1) {
				meet(&begun, workers)
			}
		})
		together := true
		for w := range workers {
			lo, hi := Share(n, w, workers)
			at := int(first[w].Load()) - 1
			together = together && lo <= at && at < hi
		}
		if together {
			return
		}
	}
	t.Error("no loop in which all workers began with their own shares")
}

func TestSharesFollowOneAnother(t *testing.T) {
	for _, n := range []int{0, 1, 10, 1003} {
		end := 0
		for part := range 7 {
			lo, hi := Share(n, part, 7)
			expect.That(t, lo == end && hi >= lo && hi-lo <= n/7+1,
				"share %d of 7 of %d is [%d, %d) after %d", part, n, lo, hi, end)
			end = hi
		}
		expect.Equal(t, end, n, "the end of all shares")
	}
}

// A panic of any worker becomes one of the caller, after the pieces that other workers run.
func TestPanicOfAWorkerIsTheCallers(t *testing.T) {
	for panicking := range 3 {
		var running atomic.Int32
		commtest.EndsByPanic(t, "TestPanicOfAWorker", func() {
			defer func() { expect.Equal(t, running.Load(), 0, "pieces run after For") }()
			For(3, 1<<20, 1, func(worker, _, _ int) {
				if worker == panicking {
					panic(commtest.ErrPlanted)
				}
				running.Add(1)
				time.Sleep(time.Millisecond)
				running.Add(-1)
			})
		})
	}
}

// Helpers end some time after the last loop, and the next loop starts them again.
func TestHelpersEnd(t *testing.T) {
	const workers = 4
	before := runtime.NumGoroutine()
	for range 3 {
		var count atomic.Int32
		Each(workers, func(int) { count.Add(1) })
		expect.Must(t, count.Load() == workers, "%d calls, want %d", count.Load(), workers)
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
		expect.Equal(t, isHeld(), (share >= 2), share)
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
	expect.That(t, waits > attempts/2, "the helper waited %d times of %d", waits, attempts)
	release()
	expect.That(t, !isHeld(), "held after the release")
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
	expect.That(t, ended.Load(), "For returned before the helper's piece was done")
}

// Loops of several callers at a time, and loops within loops, cover each index once.
func TestLoopsAtTheSameTime(t *testing.T) {
	const callers, loops, n = 3, 200, 100
	var calls sync.WaitGroup
	var sum atomic.Int64
	for range callers {
		calls.Go(func() {
			for range loops {
				For(2, 2, 1, func(_, _, _ int) { For(3, n, 7, func(_, lo, hi int) { sum.Add(int64(hi - lo)) }) })
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
	n := wrong.Load()
	expect.That(t, n <= 0, "%d pieces by workers from %d on", n, few)
}

// If some workers do not begin, the others wait only once in all.
func TestWakeWithoutWorkers(t *testing.T) {
	var awake atomic.Int64
	const all = 100
	first, second := meet(&awake, all), meet(&awake, all)
	expect.That(t, first == longWait || first == longWait+1, "the first of %d workers gave up after %d polls", all, first)
	expect.Equal(t, second, 0, "polls of the second worker")
}

// However many threads poll, each about a microsecond at a time, they take turns at most once in 5 us.
func TestTurnsAreRare(t *testing.T) {
	for threads := 1; threads <= 1024; threads *= 2 {
		polls := pollsPerTurn(threads)
		expect.That(t, polls >= 5*threads && polls >= 16, "%d threads take turns after %d polls", threads, polls)
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
