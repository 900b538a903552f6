//go:build cuda && cgo

package validate

import (
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/validate"
)

// tryPaths goes through the rules of shortest paths. Their parents are followed level by level, as those of a tree,
// whatever the distances: where weights are zero or vanish in a sum, distances do not tell whether there is a cycle.
func (j *Validator) tryPaths(root graph.Global, p device.Paths) (validate.Verdict, error) {
	tr := &trial{Validator: j, tree: p.Tree, own: p.Distances}
	return tr.verdict(
		func() error { return tr.enter(root) },
		func() error { return tr.descend(func() error { return nil }) },
		func() error { return tr.note(j.on.CheckDistances(p.Distances)) },
		tr.checkPathTuples,
	)
}

// checkPathTuples looks for tuples that make a path shorter or leave the tree, and for vertices without a tuple of the
// right length to their parents. If there are some, it finds out which of them have no tuple at all: that is another
// rule, which is told first.
func (tr *trial) checkPathTuples() error {
	if tr.distances != nil {
		if err := tr.t.AllGather(tr.distances, tr.parts.Slice*DistanceBytes); err != nil {
			return err
		}
	}
	err := tr.tuples.EachWeighted(func(tuples, weights cuda.Memory) error {
		return tr.note(tr.on.CheckPathTuples(tuples, weights))
	})
	if err == nil {
		err = tr.checkEdges(cuda.RulePathEdge, func() error { return tr.tuples.EachWeighted(tr.on.JoinPathTuples) })
	}
	if err != nil {
		return err
	}
	all, err := tr.agree(tr.found)
	if err != nil || all.Worst[cuda.RulePathEdge] == cuda.NoOffence {
		return err
	}
	if err := tr.openWindow(0); err != nil {
		return err
	}
	if err := tr.join(); err != nil {
		return err
	}
	return tr.checkEdges(cuda.RuleTreeEdge, tr.join)
}
