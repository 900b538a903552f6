// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"time"

	"g500/comm"
)

// stopwatch returns a clock that starts at 0 now, for meters and traces.
func stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// timed runs a kernel on all ranks after a barrier and returns the time of the slowest rank in seconds. It is the
// benchmark's only clock.
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
