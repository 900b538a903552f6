//go:build cuda && cgo

package gpu

import (
	"g500/cuda"
	"g500/graph"
	"g500/validate"
)

// tryPaths goes through the rules of shortest paths. Their parents are followed level by level, as those of a tree,
// whatever the distances: where weights are zero or vanish in a sum, distances do not tell whether there is a cycle.
func (j *judge) tryPaths(root graph.Global, p paths) (validate.Verdict, error) {
	tr := &trial{judge: j, tree: p.tree(), own: p.distances}
	return tr.verdict(
		func() error { return tr.enter(root) },
		func() error { return tr.descend(func() error { return nil }) },
		func() error { return tr.note(j.on.CheckDistances(p.distances)) },
		tr.checkPathTuples,
	)
}

// checkPathTuples looks for tuples that make a path shorter or leave the tree, and for vertices without a tuple of the
// right length to their parents. If there are some, it finds out which of them have no tuple at all: that is another
// rule, which is told first.
func (tr *trial) checkPathTuples() error {
	if tr.distances != nil {
		if err := tr.t.AllGather(tr.distances, tr.parts.Slice*distanceBytes); err != nil {
			return err
		}
	}
	err := tr.tuples.eachWeighted(func(tuples, weights cuda.Memory) error {
		return tr.note(tr.on.CheckPathTuples(tuples, weights))
	})
	if err == nil {
		err = tr.checkEdges(cuda.RulePathEdge, func() error { return tr.tuples.eachWeighted(tr.on.JoinPathTuples) })
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
