//go:build cuda && cgo

package validate

import (
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/validate"
)

// validatePaths checks the rules of shortest paths. It also finds the levels of the tree, because distances do not show
// cycles if weights are zero or vanish in a sum.
func (v *Validator) validatePaths(root graph.Global, p device.Paths) (validate.Verdict, error) {
	r := &run{Validator: v, tree: p.Tree, own: p.Distances}
	return r.verdict(
		func() error { return r.enter(root) },
		func() error { return r.descend(func() error { return nil }) },
		func() error { return r.note(v.on.CheckDistances(p.Distances)) },
		r.checkPathTuples,
	)
}

// checkPathTuples finds tuples that shorten a path or leave the tree, and vertices without a tuple of the right length
// to their parents. If there are such vertices, it finds those without any tuple to their parents, which break an
// earlier rule.
func (r *run) checkPathTuples() error {
	if r.distances != nil {
		if err := r.t.AllGather(r.distances, r.parts.Slice*DistanceBytes); err != nil {
			return err
		}
	}
	err := r.tuples.Each(true, func(tuples, weights cuda.Memory) error {
		return r.note(r.on.CheckPathTuples(tuples, weights))
	})
	if err == nil {
		err = r.checkEdges(cuda.RulePathEdge, true)
	}
	if err != nil {
		return err
	}
	all, err := r.agree(r.found)
	if err != nil || all.Worst[cuda.RulePathEdge] == cuda.NoOffence {
		return err
	}
	if err := r.openWindow(0); err != nil {
		return err
	}
	if err := r.tuples.Each(false, r.on.JoinTuples); err != nil {
		return err
	}
	return r.checkEdges(cuda.RuleTreeEdge, false)
}
