package comm_test

import (
	"sync/atomic"
	"testing"

	"g500/comm"
)

// The count is odd inside a collective.
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
		t.Errorf("%v, count %d in the barrier and %d after it", err, waits.Load(), within.Load())
	}
}
