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
// kernel 1. The graph has 2^SCALE vertices here, so that whatever the file says of labels without an edge is judged
// too. It is collective.
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
	layout := partition.NewCyclic(c.Params().Vertices(), t.Size())
	if root < 0 || root >= layout.Vertices() {
		err = fmt.Errorf("root %d is no vertex: labels of scale %d are below %d", root, c.Graph.Scale, layout.Vertices())
		return verdict, comm.Agree(t, err)
	}
	parents, err := readTree(treeFile, layout, t.Rank(), graph.Global(highest[0]))
	if err := comm.Agree(t, err); err != nil {
		return verdict, err
	}
	judge, err := validate.New(t, layout, edges, workers)
	if err != nil {
		return verdict, err
	}
	verdict, err = judge.Tree(root, parents)
	if err == nil && verdict.Fault == nil && verdict.Edges == 0 {
		verdict.Fault = fmt.Errorf("root %d is no search key: it has no edge to another vertex", root)
	}
	return verdict, err
}
