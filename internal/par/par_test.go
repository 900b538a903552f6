// SPDX-License-Identifier: Apache-2.0

package par

import (
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
					if worker < 0 || worker >= workers || hi-lo > grain || lo >= hi {
						t.Errorf("worker %d of %d got [%d, %d) with grain %d", worker, workers, lo, hi, grain)
					}
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
				})
				length := func(_, lo, hi int) int64 { return int64(hi - lo) }
				expect.Equal(t, Sum(workers, n, grain, length), int64(n), workers, "workers, n", n, "grain", grain,
					"pieces have", "indices")
				for i := range seen {
					expect.Equal(t, seen[i].Load(), 1, workers, "workers, n", n, "grain", grain, "index", i, "was handled",
						"times")
				}
			}
		}
	}
}

// Few indices are divided among all workers, and many into pieces of the largest length.
func TestGrain(t *testing.T) {
	for _, c := range []struct{ workers, n, want int }{{64, 1, 32}, {64, 36_130, 70}, {64, 1 << 24, 4096}, {2, 1 << 10, 64}} {
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

func TestEachCallsEveryWorkerOnce(t *testing.T) {
	var calls [5]atomic.Int32
	Each(len(calls), func(worker int) { calls[worker].Add(1) })
	for w := range calls {
		expect.Equal(t, calls[w].Load(), 1, "worker", w, "calls")
	}
}

func TestSharesFollowOneAnother(t *testing.T) {
	for _, n := range []int{0, 1, 10, 1003} {
		end := 0
		for part := range 7 {
			lo, hi := Share(n, part, 7)
			if lo != end || hi < lo || hi-lo > n/7+1 {
				t.Errorf("share %d of 7 of %d is [%d, %d) after %d", part, n, lo, hi, end)
			}
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
			defer func() {
				expect.Equal(t, running.Load(), 0, "pieces run after For")
			}()
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
