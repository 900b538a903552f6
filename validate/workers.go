package validate

import (
	"sync"
	"sync/atomic"
)

// crew is a number of goroutines that share the work of one rank, at least 1.
type crew int

// each calls fn once for each worker, at the same time, and waits for all.
func (c crew) each(fn func(worker int)) {
	var others sync.WaitGroup
	for w := 1; w < int(c); w++ {
		others.Add(1)
		go func() {
			defer others.Done()
			fn(w)
		}()
	}
	fn(0)
	others.Wait()
}

// blocks cuts [0, n) into blocks of grain and hands them out as workers become free: rows differ in length by
// five orders of magnitude, so equal shares of vertices would not be equal shares of work.
func (c crew) blocks(n, grain int, fn func(worker, lo, hi int)) {
	var next atomic.Int64
	c.each(func(w int) {
		for {
			hi := int(next.Add(int64(grain)))
			if hi-grain >= n {
				return
			}
			fn(w, hi-grain, min(hi, n))
		}
	})
}

// share is the part of [0, n) that falls to one worker when each gets one run of about equal length.
func (c crew) share(n, worker int) (lo, hi int) {
	return n * worker / int(c), n * (worker + 1) / int(c)
}
