package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// classes are the problem classes of the specification, and the ranks of a job that could run them.
var classes = []struct{ scale, ranks int }{{26, 1}, {29, 4}, {32, 64}, {36, 1000}, {39, 1 << 14}, {42, 1 << 17}}

// The plan for a large class covers the arrays of the heaviest rank, computed here one by one, and is less than 3.3
// times their size, without one bin per block of kernel 1. No number overflows.
func TestPlansOfLargeClasses(t *testing.T) {
	for _, c := range classes {
		p := config(c.scale).Params()
		plan := NewPlan(p, c.ranks, true)
		labels, ends := float64(p.Vertices())/float64(c.ranks), 2*float64(p.Edges())/float64(c.ranks)
		if c.ranks > 1 {
			ends += p.HighestDegree()
		}
		position, label := 4.0, 4.0
		if c.scale > 31 {
			label = 8
		}
		if c.scale > 33 {
			position = 8
		}
		bits, ghosts := p.Connected(), 0.0
		if c.ranks > 1024 { // on several nodes: 25% of the ends have their own ghost
			ghosts = ends / 4
			bits = min(bits, labels+ghosts)
		}
		bitmaps := 2 * bits / 8
		bins := 208 * labels * float64(c.ranks) / (1 << 16) // of one worker that deals ends
		arrays := position*ends + (8+3*position+label+8+8+8)*labels + 4*ghosts + bitmaps
		engine, building := float64(plan.Engine), float64(plan.Building)
		if engine < arrays || building < ends*position || engine+building > 3.3*arrays+5*bitmaps+bins {
			t.Errorf("scale %d on %d ranks: announced %s and %s, arrays have %s", c.scale, c.ranks, Bytes(plan.Engine),
				Bytes(plan.Building), Bytes(int64(arrays)))
		}
		if tuples := 12 * float64(p.Edges()) / float64(c.ranks); float64(plan.Tuples) < tuples ||
			float64(plan.Validator) < 6*ends || plan.Total() <= 0 {
			t.Errorf("scale %d on %d ranks: announced %+v", c.scale, c.ranks, plan)
		}
		if share := heaviest(p, c.ranks); plan.Validator != validate.Memory(share) || share.IDs64 != (c.scale > 33) {
			t.Errorf("scale %d on %d ranks: the share is %+v", c.scale, c.ranks, share)
		}
	}
}

// Ranks' shares of the largest lists are runs without gaps; no product overflows.
func TestSharesOfLargeClasses(t *testing.T) {
	for _, c := range classes {
		p := config(c.scale).Params()
		next := int64(0)
		for _, rank := range slices.Compact([]int{0, c.ranks / 2, c.ranks - 1}) {
			first, count := shareOf(p.Edges(), rank, c.ranks)
			after, _ := shareOf(p.Edges(), rank+1, c.ranks)
			if first < next || first+count != after || count <= 0 {
				t.Errorf("scale %d, rank %d of %d: %d tuples from %d on, the next rank's from %d on",
					c.scale, rank, c.ranks, count, first, after)
			}
			next = after
		}
		if next != p.Edges() {
			t.Errorf("scale %d: the shares end at %d of %d tuples", c.scale, next, p.Edges())
		}
	}
}

// A scale beyond the engine is an error with its cure, before work starts.
func TestScalesBeyondTheEngineAreRefused(t *testing.T) {
	for _, c := range []struct {
		scale, most int // of the backend
		kernel      record.Kernel
		want        string
	}{
		{43, 42, record.BFS, "scale 43 is beyond engine cpu, whose vertex numbers end at scale 42: choose a smaller one"},
		{32, 31, record.BFS, "whose vertex numbers end at scale 31: choose a smaller one, or engine cpu"},
		{33, 42, record.Both, fmt.Sprintf("the shortest paths of engine cpu, whose vertex numbers end at scale %d: "+
			"choose a smaller one, or kernel bfs", sssp.MaxScale)},
	} {
		s := hybrid(config(c.scale))
		s.Config.Search.Kernel, s.Backend.MaxScale = string(c.kernel), c.most
		s.Backend.Budget = func() Budget { return Budget{} } // not known: enough
		_, err := run(context.Background(), 2, s)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
