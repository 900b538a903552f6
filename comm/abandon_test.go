package comm_test

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
)

// A transport that can be abandoned is a transport like any other.
func TestAbandonablePassesTheSuite(t *testing.T) {
	launch := func(n int, rank func(comm.Transport) error) error {
		return comm.Loopback(n, func(t comm.Transport) error {
			return rank(comm.Abandonable(t, func() bool { return false }))
		})
	}
	commtest.Run(t, launch, 3)
}

// If one rank abandons the work, the same AllReduce returns the error on all ranks, whatever its operation, and they
// can go on together.
func TestAllRanksAbandonAtTheSameCall(t *testing.T) {
	for _, op := range []comm.Op{comm.Sum, comm.Min, comm.Max} {
		err := comm.Loopback(3, func(t comm.Transport) error {
			call, told := 0, false
			a := comm.Abandonable(t, func() bool { return t.Rank() == 1 && call >= 2 && !told })
			for ; call < 4; call++ {
				vals := []int64{7}
				err := a.AllReduce(vals, op)
				if told = told || err != nil; errors.Is(err, comm.ErrAbandoned) != (call == 2) || vals[0] == 0 {
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
