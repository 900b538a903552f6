package bench

import (
	"time"

	"g500/comm"
)

// stopwatch is a clock that begins now, for readings of meters during searches.
func stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// timed runs one kernel on all ranks at once and returns its time in seconds, that of the slowest rank. The
// barrier before it makes the ranks start together. This is the benchmark's only clock.
func timed(t comm.Transport, kernel func() error) (float64, error) {
	if err := t.Barrier(); err != nil {
		return 0, err
	}
	start := time.Now()
	err := kernel()
	elapsed := []int64{int64(time.Since(start))}
	if err != nil {
		return 0, err
	}
	err = t.AllReduce(elapsed, comm.Max)
	return time.Duration(elapsed[0]).Seconds(), err
}
