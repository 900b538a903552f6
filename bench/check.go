package bench

import (
	"context"
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/partition"
	"g500/validate"
)

// CheckTree validates a tree in a file against the edge list of the configuration, with no search and no
// kernel 1. It is collective.
func CheckTree(ctx context.Context, t comm.Transport, c Config, treeFile string, root graph.Global,
	workers int) (validate.Verdict, error) {
	b := newBenchmark(t, Setup{Config: c})
	var verdict validate.Verdict
	tuples, err := b.tuples(ctx)
	if err := comm.Agree(t, err); err != nil {
		return verdict, err
	}
	edges, err := tuples.Host()
	if err != nil {
		return verdict, err
	}
	highest := []int64{0}
	for _, e := range edges {
		highest[0] = max(highest[0], int64(e.U()), int64(e.V()))
	}
	if err := t.AllReduce(highest, comm.Max); err != nil {
		return verdict, err
	}
	layout := partition.NewCyclic(graph.Global(highest[0]+1), t.Size())
	if root < 0 || root >= layout.Vertices() {
		err = fmt.Errorf("root %d is no vertex of the edge list, whose highest label is %d", root, highest[0])
		return verdict, comm.Agree(t, err)
	}
	parents, err := readTree(treeFile, layout, t.Rank())
	if err := comm.Agree(t, err); err != nil {
		return verdict, err
	}
	judge, err := validate.New(t, layout, edges, workers)
	if err != nil {
		return verdict, err
	}
	return judge.Tree(root, parents)
}
