// SPDX-License-Identifier: Apache-2.0

package comm_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/expect"
)

// Wrapped transports pass the suite.
func TestWrappersPassTheSuite(t *testing.T) {
	for name, wrap := range map[string]func(comm.Transport) comm.Transport{
		"abandonable": func(t comm.Transport) comm.Transport { return comm.Abandonable(t, func() bool { return false }) },
		"counted":     func(t comm.Transport) comm.Transport { return comm.Counted(t, new(atomic.Int64)) },
	} {
		t.Run(name, func(t *testing.T) {
			commtest.RunShort(t, func(n int, rank func(comm.Transport) error) error {
				return comm.Loopback(n, func(t comm.Transport) error { return rank(wrap(t)) })
			}, 3)
		})
	}
}

// No wrapper, and no chain of wrappers, hides an optional interface; a wrapper without comm.Wrapper hides all.
func TestWrappersHideNoOptionalInterface(t *testing.T) {
	counted := func(t comm.Transport) comm.Transport { return comm.Counted(t, new(atomic.Int64)) }
	abandonable := func(t comm.Transport) comm.Transport { return comm.Abandonable(t, func() bool { return false }) }
	emulated := func(t comm.Transport) comm.Transport { return comm.EmulateNodes(t, []int{0}) }
	advancing := func(t comm.Transport) comm.Transport { return comm.Advancing(t, func(int64, int64) {}) }
	for name, c := range map[string]struct {
		wrap   func(comm.Transport) comm.Transport
		own    []string
		hidden []string
	}{
		"counted":     {wrap: counted},
		"abandonable": {wrap: abandonable},
		"on nodes":    {wrap: emulated},
		"advancing":   {wrap: advancing, own: []string{"Advance"}},
		"a chain":     {wrap: func(t comm.Transport) comm.Transport { return counted(abandonable(emulated(counted(t)))) }},
		"no wrapper": {
			wrap:   func(t comm.Transport) comm.Transport { return struct{ comm.Transport }{t} },
			hidden: []string{"Release", "Advance", "CountAs"},
		},
	} {
		expect.NoError(t, comm.Loopback(1, func(tr comm.Transport) error {
			expect.Equal(t, commtest.Hidden(tr, c.wrap, c.own...), c.hidden, name)
			return nil
		}))
	}
}

// The outermost transport that reports progress gets it.
func TestAdvancingReports(t *testing.T) {
	var got []int64
	err := comm.Loopback(1, func(tr comm.Transport) error {
		tr = comm.Advancing(tr, func(int64, int64) { t.Error("the inner transport reports") })
		tr = comm.Advancing(tr, func(done, total int64) { got = append(got, done, total) })
		comm.Advance(comm.Counted(tr, new(atomic.Int64)), 3, 8)
		return nil
	})
	if err != nil || !slices.Equal(got, []int64{3, 8}) {
		t.Errorf("%v, %v", got, err)
	}
}

// If one rank abandons the work, the same AllReduce returns the error on all ranks, with every operation, and the
// transport remains usable.
func TestAllRanksAbandonAtTheSameCall(t *testing.T) {
	for _, op := range []comm.Op{comm.Sum, comm.Min, comm.Max} {
		expect.NoError(t, comm.Loopback(3, func(t comm.Transport) error {
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
		}), "operation", op)
	}
}

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
