package comm_test

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
)

// If one rank abandons the work, the same AllReduce returns the error on all ranks, with every operation, and the
// transport remains usable.
func TestAllRanksAbandonAtTheSameCall(t *testing.T) {
	for _, op := range []comm.Op{comm.Sum, comm.Min, comm.Max} {
		err := comm.Loopback(3, func(t comm.Transport) error {
			call, abandoned := 0, false
			a := comm.Abandonable(t, func() bool { return t.Rank() == 1 && call >= 2 && !abandoned })
			for ; call < 4; call++ {
				vals := []int64{7}
				err := a.AllReduce(vals, op)
				if abandoned = abandoned || err != nil; errors.Is(err, comm.ErrAbandoned) != (call == 2) || vals[0] == 0 {
					return fmt.Errorf("call %d: %v, %d", call, err, vals)
				}
			}
			return a.Barrier()
		})
		if err != nil {
			t.Errorf("operation %d: %v", op, err)
		}
	}
}
