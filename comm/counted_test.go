package comm_test

import (
	"sync/atomic"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
)

// A counted transport is a transport like any other.
func TestCountedPassesTheSuite(t *testing.T) {
	launch := func(n int, rank func(comm.Transport) error) error {
		return comm.Loopback(n, func(t comm.Transport) error { return rank(comm.Counted(t, new(atomic.Int64))) })
	}
	commtest.RunShort(t, launch, 3)
}

// Each collective counts where it begins and where it ends: odd within one.
func TestCountedCounts(t *testing.T) {
	var within, waits atomic.Int64
	err := comm.Loopback(2, func(t comm.Transport) error {
		if t.Rank() == 1 {
			for waits.Load() == 0 { // until rank 0 is in the barrier
				waits.Store(within.Load())
			}
			return t.Barrier()
		}
		return comm.Counted(t, &within).Barrier()
	})
	if err != nil || waits.Load() != 1 || within.Load() != 2 {
		t.Errorf("%v, %d within the barrier and %d after it", err, waits.Load(), within.Load())
	}
}
