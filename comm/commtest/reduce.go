package commtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"g500/comm"
)

// identity: the ranks are numbered 0 to n-1, each number once; and all know the same nodes, numbered as they come.
func identity(t comm.Transport, n int) error {
	if t.Size() != n {
		return fmt.Errorf("Size() is %d, want %d", t.Size(), n)
	}
	if t.Rank() < 0 || t.Rank() >= n {
		return fmt.Errorf("Rank() is out of range")
	}
	seen := make([]int64, n)
	seen[t.Rank()] = 1
	if err := t.AllReduce(seen, comm.Sum); err != nil {
		return err
	}
	if slices.ContainsFunc(seen, func(times int64) bool { return times != 1 }) {
		return fmt.Errorf("the ranks' numbers are taken %v times each", seen)
	}
	return sameNodes(t, n)
}

func sameNodes(t comm.Transport, n int) error {
	nodes := t.Nodes()
	if len(nodes) != n {
		return fmt.Errorf("there are nodes of %d ranks", len(nodes))
	}
	known, highest, lowest := 0, make([]int64, n), make([]int64, n)
	for r, node := range nodes {
		if node < 0 || node > known {
			return fmt.Errorf("the nodes %v are not numbered as they come", nodes)
		}
		known = max(known, node+1)
		highest[r], lowest[r] = int64(node), int64(node)
	}
	if err := errors.Join(t.AllReduce(highest, comm.Max), t.AllReduce(lowest, comm.Min)); err != nil {
		return err
	}
	if !slices.Equal(highest, lowest) {
		return fmt.Errorf("ranks disagree about their nodes: this one says %v", nodes)
	}
	return nil
}

// allReduce: each operation on values of both signs and at the ends of the range, and on many values.
func allReduce(t comm.Transport, n int) error {
	me, last := int64(t.Rank()), int64(n-1)
	for _, c := range []struct {
		name       string
		op         comm.Op
		mine, want []int64
	}{
		{"sum", comm.Sum, []int64{me, -me, 1, math.MinInt64 / int64(n)},
			[]int64{last * int64(n) / 2, -last * int64(n) / 2, int64(n), math.MinInt64 / int64(n) * int64(n)}},
		{"min", comm.Min, []int64{me, -me, me - 1, math.MaxInt64 - me}, []int64{0, -last, -1, math.MaxInt64 - last}},
		{"max", comm.Max, []int64{me, -me, me - last - 1, math.MinInt64 + me}, []int64{last, 0, -1, math.MinInt64 + last}},
	} {
		if err := t.AllReduce(c.mine, c.op); err != nil {
			return err
		}
		if !slices.Equal(c.mine, c.want) {
			return fmt.Errorf("%s gives %v, want %v", c.name, c.mine, c.want)
		}
	}
	many := make([]int64, 20_011) // more than any implementation does at once
	for i := range many {
		many[i] = me * int64(i)
	}
	if err := t.AllReduce(many, comm.Sum); err != nil {
		return err
	}
	for i, v := range many {
		if v != last*int64(n)/2*int64(i) {
			return fmt.Errorf("value %d of many is %d, want %d", i, v, last*int64(n)/2*int64(i))
		}
	}
	return nil
}

// allReduceEmpty: a slice may be empty, or nil.
func allReduceEmpty(t comm.Transport, _ int) error {
	if err := t.AllReduce(nil, comm.Sum); err != nil {
		return err
	}
	return t.AllReduce([]int64{}, comm.Max)
}

// barrier: nobody leaves before the last has come. Ranks of one node share a clock, so that the moments can be
// compared; each rank in turn comes late.
func barrier(t comm.Transport, n int) error {
	if _, size := comm.Place(t); size != n {
		return nil
	}
	for late := range n {
		if t.Rank() == late {
			time.Sleep(10 * time.Millisecond)
		}
		lastIn := []int64{time.Now().UnixNano()}
		if err := t.Barrier(); err != nil {
			return err
		}
		firstOut := []int64{time.Now().UnixNano()}
		if err := t.AllReduce(lastIn, comm.Max); err != nil {
			return err
		}
		if err := t.AllReduce(firstOut, comm.Min); err != nil {
			return err
		}
		if firstOut[0] < lastIn[0] {
			return fmt.Errorf("a rank left the barrier %d ns before rank %d came", lastIn[0]-firstOut[0], late)
		}
	}
	return nil
}

// agree: no error is no error; else all ranks learn the lowest failing rank and its reason.
func agree(t comm.Transport, n int) error {
	if err := comm.Agree(t, nil); err != nil {
		return fmt.Errorf("success is agreed as %q", err)
	}
	for lowest := range n {
		var mine error
		if t.Rank() >= lowest {
			mine = fmt.Errorf("reason %d", t.Rank())
		}
		err := comm.Agree(t, mine)
		told, ok := err.(*comm.RankError)
		if want := fmt.Sprintf("rank %d: reason %d", lowest, lowest); !ok || told.Rank != lowest || told.Error() != want {
			return fmt.Errorf("the agreed reason is %q, want %q", err, want)
		}
		if t.Rank() == lowest && told.Err != mine {
			return fmt.Errorf("the failing rank is given %q in place of its own error", told.Err)
		}
		if again := comm.Agree(t, err); again != err {
			return fmt.Errorf("what is agreed becomes %q, want %q", again, err)
		}
	}
	return nil
}
