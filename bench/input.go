package bench

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"sync"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/graph/input"
	"g500/internal/machine"
	"g500/report"
)

// Input is a graph that is searched in place of the official one. Each process makes it as a whole and once, whatever
// the number of its ranks, and keeps it until its ranks have taken their shares of the tuples.
type Input struct {
	spec input.Spec
	once sync.Once
	list atomic.Pointer[input.EdgeList]
	err  error
}

// NewInput is the graph that a configuration names by a spec, not made yet; nil where it is the official one. A
// directed graph is refused: the benchmark's edges lead both ways.
func NewInput(c Config) (*Input, error) {
	if c.Graph.Spec == "" {
		return nil, nil
	}
	spec, err := input.Parse(c.Graph.Spec)
	switch {
	case err != nil:
		return nil, err
	case spec.Directed():
		return nil, fmt.Errorf("graph %s is directed, and the benchmark searches along edges in both directions: "+
			"leave directed=true out", spec)
	case c.Graph.Edges != "":
		return nil, errors.New("a spec of a graph (graph.spec) and a file of edge tuples (graph.edges) exclude each other: " +
			"choose one")
	}
	return &Input{spec: spec}, nil
}

// make makes the graph, or waits until another rank of the process has.
func (in *Input) make(ctx context.Context, workers int, room int64) (*input.EdgeList, error) {
	in.once.Do(func() {
		g, err := in.spec.Make(ctx, workers, room)
		if in.err = err; err == nil {
			in.list.Store(input.NewEdgeList(g, workers))
		}
	})
	return in.list.Load(), in.err
}

// release lets go of the graph.
func (in *Input) release() {
	if in != nil {
		in.list.Store(nil)
	}
}

// makeInput makes the graph, if it is not the official one, and from then on the configuration has the smallest scale
// and edge factor into which it fits: memory is planned for that. It is collective.
func (b *benchmark) makeInput(ctx context.Context) error {
	if b.input == nil {
		return nil
	}
	host, err := HostRoom(b.t)
	if err != nil {
		return err
	}
	cores, err := HostCores(b.t) // collective, as HostRoom is: all ranks call it, whether they make the graph or not
	if err != nil {
		return err
	}
	inProcess, err := Sharers(b.t, fmt.Sprint(machine.HostID(), " ", os.Getpid()))
	if err != nil {
		return err
	}
	workers := cores * len(inProcess)
	list, err := step(b, "making the graph", 0, &b.inputSeconds, func() (*input.EdgeList, error) {
		list, err := b.input.make(ctx, workers, host.Bytes*int64(len(inProcess)))
		return list, comm.Agree(b.t, err)
	})
	if err != nil {
		return err
	}
	b.takeSize(list)
	return nil
}

// takeSize puts the size of the graph into the configuration and the report.
func (b *benchmark) takeSize(list *input.EdgeList) {
	g := &b.cfg.Graph
	g.Scale = max(1, bits.Len64(uint64(list.Vertices()-1)))
	g.EdgeFactor = max(1, (list.Tuples()+1<<g.Scale-1)>>g.Scale)
	b.run.Scale, b.run.EdgeFactor, b.run.Config = g.Scale, g.EdgeFactor, b.cfg
	b.run.Graph = &report.Graph{Spec: g.Spec, Vertices: int64(list.Vertices()), Edges: list.Tuples()}
}

// inputTuples takes this rank's share of the tuples, and lets go of the graph when all have theirs.
func (b *benchmark) inputTuples(ctx context.Context) (graph.Tuples, error) {
	list := b.input.list.Load()
	first, count := shareOf(list.Tuples(), b.t.Rank(), b.t.Size())
	if b.run.HasSSSP() {
		return b.weightedShare(ctx, list, first, count)
	}
	read := func(at int64, into []graph.Edge) error {
		list.Read(first+at, into)
		return nil
	}
	return b.taken(ctx, count, read)
}

// weightedShare takes tuples with their weights, where the graph has any.
func (b *benchmark) weightedShare(ctx context.Context, list *input.EdgeList, first, count int64) (graph.Tuples, error) {
	if !list.Weighted() {
		return nil, errors.New("the edges of the graph have no weights, which shortest paths need: " +
			"add weights=uniform to its spec")
	}
	read := func(at int64, into []graph.Edge, weights []float32) error {
		list.ReadWeighted(first+at, into, weights)
		return checkWeights(into, weights)
	}
	if b.kit.Paths.Read != nil {
		return b.kit.Paths.Read(ctx, count, read, b.watch.Advance)
	}
	tuples := makeWeighted(count)
	return tuples, read(0, tuples.HostTuples, tuples.Weights)
}

// checkWeights refuses a weight that shortest paths cannot take.
func checkWeights(tuples []graph.Edge, weights []float32) error {
	for i, w := range weights {
		if err := graph.WeightError(w); err != nil {
			return fmt.Errorf("the edge between %d and %d has %w", tuples[i].U(), tuples[i].V(), err)
		}
	}
	return nil
}
