package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/graph/formats"
	"g500/internal/machine"
	"g500/record"
)

// Input is a graph that is searched instead of the official one. Each process generates the whole graph once,
// whatever the number of its ranks, and keeps it until its ranks have taken their shares of the tuples. A graph from a
// file is read by rank 0's process alone.
type Input struct {
	spec    formats.Spec
	weights bool // shortest paths need them
	once    sync.Once
	list    atomic.Pointer[formats.EdgeList]
	err     error
}

// NewInput is the graph that a configuration names by a spec, not made yet; nil where it is the official one. A
// directed graph is refused: the benchmark's edges lead both ways.
func NewInput(c record.Config) (*Input, error) {
	if c.Graph.Spec == "" {
		return nil, nil
	}
	spec, err := formats.Parse(c.Graph.Spec)
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
	return &Input{spec: spec, weights: slices.Contains(c.Search.Kernels(), record.SSSP)}, nil
}

// make makes the graph, or waits until another rank of the process has.
func (in *Input) make(ctx context.Context, workers int, room int64) (*formats.EdgeList, error) {
	in.once.Do(func() {
		g, err := in.spec.Make(ctx, workers, room)
		if in.err = err; err != nil {
			return
		}
		list := formats.NewEdgeList(g, workers)
		if in.weights {
			in.err = checkWeights(list)
		}
		in.list.Store(list)
	})
	return in.list.Load(), in.err
}

// release lets go of the graph.
func (in *Input) release() {
	if in != nil {
		in.list.Store(nil)
	}
}

// inputGraph describes the graph to all ranks.
type inputGraph struct {
	Vertices, Tuples int64
	Notes            []string // by the reader of its file
}

// makeInput makes the graph, if it is not the official one, and from then on the configuration has the smallest scale
// and edge factor into which it fits: memory is planned for that. It is collective.
func (b *benchmark) makeInput(ctx context.Context) error {
	if b.input == nil {
		return nil
	}
	made, err := step(b, "making the graph", 0, &b.inputSeconds, func() (made inputGraph, err error) {
		err = b.makeGraph(ctx)
		if err := comm.Agree(b.t, err); err != nil {
			return made, err
		}
		return b.describeGraph()
	})
	if err != nil {
		return err
	}
	b.takeGraph(made)
	return nil
}

// makeGraph makes the graph in this process, unless it is in a file, which rank 0 reads. It is collective.
func (b *benchmark) makeGraph(ctx context.Context) error {
	host, err := HostBudget(b.t)
	if err != nil {
		return err
	}
	cores, err := HostCores(b.t) // collective, as HostBudget is: all ranks call it, whether they make the graph or not
	if err != nil {
		return err
	}
	inProcess, err := comm.Sharers(b.t, fmt.Sprint(machine.NodeID(), " ", os.Getpid()))
	if err != nil || b.input.spec.IsFile() && inProcess[0] != 0 {
		return err
	}
	list, err := b.input.make(ctx, cores*len(inProcess), host.Bytes*int64(len(inProcess)))
	if err != nil || b.t.Rank() != 0 {
		return err
	}
	if from := list.Reading().Source; from != nil {
		b.parts = append(b.parts, inputPart{graphUse, from.Path, from.Fingerprint, from.Pipe})
	}
	return nil
}

// describeGraph sends rank 0's description of the graph to all ranks. It is collective.
func (b *benchmark) describeGraph() (made inputGraph, err error) {
	var text []byte
	if b.t.Rank() == 0 {
		list := b.input.list.Load()
		text, err = json.Marshal(inputGraph{int64(list.Vertices()), list.Tuples(), list.Reading().Notes})
	}
	if err != nil {
		return made, err
	}
	all, err := comm.AllGatherTexts(b.t, string(text))
	if err != nil {
		return made, err
	}
	return made, json.Unmarshal([]byte(all[0]), &made)
}

// takeGraph puts the size of the graph into the configuration and the report.
func (b *benchmark) takeGraph(made inputGraph) {
	b.made = made
	g := &b.cfg.Graph
	g.Scale = max(1, bits.Len64(uint64(made.Vertices-1)))
	g.EdgeFactor = max(1, (made.Tuples+1<<g.Scale-1)>>g.Scale)
	b.run.Scale, b.run.EdgeFactor = g.Scale, g.EdgeFactor
	b.run.Graph = &record.Graph{Spec: g.Spec, Vertices: made.Vertices, Edges: made.Tuples}
	for _, note := range made.Notes {
		b.note("%s", note)
	}
}

// inputTuples takes this rank's share of the tuples. It is collective.
func (b *benchmark) inputTuples(ctx context.Context) (graph.Tuples, error) {
	share := b.share(b.made.Tuples)
	from, err := b.shareReader(share)
	if err != nil {
		return nil, err
	}
	return b.backend.Read(ctx, share, from, b.watch.Advance)
}

// shareReader returns a reader of this rank's share of the tuples: of the list in its process, or of rank 0's messages
// if some process has no list. It is collective.
func (b *benchmark) shareReader(share Range) (TupleReader, error) {
	list := b.input.list.Load()
	here := []int64{0}
	if list != nil {
		here[0] = 1
	}
	if err := b.t.AllReduce(here, comm.Min); err != nil {
		return nil, err
	}
	if here[0] == 0 {
		return b.scatter(list, share.Weighted)
	}
	return func(at int64, into []graph.Edge, weights []float32) error {
		list.Read(share.First+at, into, weights)
		return nil
	}, nil
}

// checkWeights refuses a graph whose edges have no weights, or weights that shortest paths do not take.
func checkWeights(list *formats.EdgeList) error {
	if list.Weighted() {
		return list.CheckWeights()
	}
	cure := "draw them by weights=uniform"
	if why := list.Reading().Unweighted; why != "" {
		cure = why + ": name weights by columns=src,dst,weight, or " + cure
	}
	return fmt.Errorf("the edges of the graph have no weights, which shortest paths need: %s", cure)
}
