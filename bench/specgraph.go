// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/graph/formats"
	"g500/internal/atomicfile"
	"g500/internal/machine"
	"g500/record"
	"g500/sssp"
)

// SpecGraph is a graph of a spec instead of the official one. Each process generates the complete graph once for all
// its ranks, and keeps it until they have taken their shares of the tuples. Only rank 0's process reads files.
type SpecGraph struct {
	spec    formats.Spec
	weights bool // shortest paths need them
	once    sync.Once
	list    atomic.Pointer[formats.EdgeList]
	err     error
}

// NewSpecGraph returns the graph of a configuration's spec, without making it, or nil for the official graph.
func NewSpecGraph(c record.Config) (*SpecGraph, error) {
	if c.Graph.Spec == "" {
		return nil, nil
	}
	spec, err := formats.Parse(c.Graph.Spec)
	switch {
	case err != nil:
		return nil, err
	case c.Graph.Edges != "":
		return nil, errors.New("a spec of a graph (graph.spec) and a file of edge tuples (graph.edges) exclude each other: " +
			"choose one")
	}
	return &SpecGraph{spec: spec, weights: slices.Contains(record.Kernels(c.Search.Kernel), record.SSSP)}, nil
}

// make makes the graph within a memory budget in bytes, or waits until another rank of the process has made it.
func (g *SpecGraph) make(ctx context.Context, workers int, budget int64) (*formats.EdgeList, error) {
	g.once.Do(func() {
		made, err := g.spec.Make(ctx, workers, budget)
		if g.err = err; err != nil {
			return
		}
		list := formats.NewEdgeList(made, workers)
		if g.weights {
			g.err = checkWeights(list)
		}
		g.list.Store(list)
	})
	return g.list.Load(), g.err
}

// release frees the graph.
func (g *SpecGraph) release() {
	if g != nil {
		g.list.Store(nil)
	}
}

// labelsFile is the file of an output folder with the labels of vertices that labels=renumber has numbered.
const labelsFile = "labels.txt"

// renumbered returns the graph if this process has it and its vertices are renumbered, else nil.
func (g *SpecGraph) renumbered() *formats.EdgeList {
	if g == nil || g.list.Load() == nil || g.list.Load().Labels == nil {
		return nil
	}
	return g.list.Load()
}

// writeLabels writes the labels of renumbered vertices to an output folder.
func (g *SpecGraph) writeLabels(dir string) error {
	list := g.renumbered()
	if list == nil {
		return nil
	}
	if err := atomicfile.WriteUnsynced(filepath.Join(dir, labelsFile), list.WriteLabels); err != nil {
		return fmt.Errorf("the labels of the vertices cannot be written: %w", err)
	}
	return nil
}

// madeGraph describes the graph to all ranks.
type madeGraph struct {
	record.Graph
	Notes []string // from the reader of its file
}

// makeSpecGraph makes the graph, if it is not the official one, and sets the configuration's scale and edge factor to
// the smallest that hold it, by which memory is planned. It is collective.
func (b *benchmark) makeSpecGraph(ctx context.Context) error {
	if b.graph == nil {
		return nil
	}
	made, err := step(b, "making the graph", 0, &b.makingSeconds, func() (made madeGraph, err error) {
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
	if b.made.Directed && b.searchesPaths() && b.cfg.Search.Prune == string(sssp.PruneHub) {
		err = errors.New("the graph is directed, and distances to a hub differ from distances from it: leave out " +
			"--prune hub")
	}
	return comm.Agree(b.t, err)
}

// makeGraph makes the graph in this process. If it is in a file, only rank 0's process reads it. It is collective.
func (b *benchmark) makeGraph(ctx context.Context) error {
	host, err := HostBudget(b.t)
	if err != nil {
		return err
	}
	cores, err := HostCores(b.t) // collective: ranks that do not make the graph call it too
	if err != nil {
		return err
	}
	inProcess, err := comm.Sharers(b.t, machine.Process())
	if err != nil || b.graph.spec.IsFile() && inProcess[0] != 0 {
		return err
	}
	list, err := b.graph.make(ctx, cores*len(inProcess), host.Bytes*int64(len(inProcess)))
	if b.graph.spec.IsFile() {
		err = b.unlikeEarlier(record.GraphUse, b.cfg.Graph.Spec, err)
	}
	if err != nil || b.t.Rank() != 0 {
		return err
	}
	if from := list.Reading.Source; from != nil {
		b.parts = append(b.parts, inputPart{record.GraphUse, from.Path, from.Fingerprint, from.Pipe})
	}
	return nil
}

// describeGraph sends rank 0's description of the graph to all ranks. It is collective.
func (b *benchmark) describeGraph() (madeGraph, error) {
	return comm.OfFirst(b.t, func() (made madeGraph, _ error) {
		list := b.graph.list.Load()
		made.Graph = record.Graph{Spec: b.cfg.Graph.Spec, Vertices: int64(list.Vertices()), Edges: list.Tuples(),
			Directed: list.Directed}
		made.Notes = list.Reading.Notes
		if list.Labels != nil {
			made.Notes = append(slices.Clone(made.Notes), "vertices are renumbered, and roots are their new numbers: "+
				labelsFile+" in the output folder (--output) has their labels")
		}
		return made, nil
	})
}

// takeGraph puts the size of the graph into the configuration and the report.
func (b *benchmark) takeGraph(made madeGraph) {
	b.made = made
	g := &b.cfg.Graph
	g.Scale = max(1, bits.Len64(uint64(made.Vertices-1)))
	g.EdgeFactor = max(1, (made.Edges+1<<g.Scale-1)>>g.Scale)
	b.run.Scale, b.run.EdgeFactor = g.Scale, g.EdgeFactor
	b.run.Graph = &made.Graph
	b.notes(made.Notes...)
	if made.Directed {
		b.note("the graph is directed: searches follow arcs, and TEPS count the arcs that leave reached vertices")
	}
}

// shareReader returns a reader of this rank's share of the tuples: from the list of its process, or from rank 0's
// messages if some process has no list. It is collective.
func (b *benchmark) shareReader(share graph.Range) (graph.TupleReader, error) {
	list := b.graph.list.Load()
	missing, err := anyRank(b.t, list == nil)
	if err != nil {
		return nil, err
	}
	if missing[0] {
		return b.scatter(list, share.Weighted)
	}
	return func(at int64, into []graph.Edge, weights []float32) error {
		list.Read(share.First+at, into, weights)
		return nil
	}, nil
}

// checkWeights returns an error for edges without weights, or with weights that shortest paths do not accept.
func checkWeights(list *formats.EdgeList) error {
	if list.Weights != nil {
		return list.CheckWeights()
	}
	cure := "draw them by weights=uniform"
	if why := list.Reading.Unweighted; why != "" {
		cure = why + ": name weights by columns=src,dst,weight, or " + cure
	}
	return fmt.Errorf("the edges of the graph have no weights, which shortest paths need: %s", cure)
}

// scatterTuples is the number of tuples in one message of rank 0 to all ranks.
const scatterTuples = 1 << 20

// scatter sends each rank its share of rank 0's list of tuples, with weights if weighted, and returns a reader of this
// rank's share. It is collective. Other ranks ignore list.
func (b *benchmark) scatter(list *formats.EdgeList, weighted bool) (graph.TupleReader, error) {
	ranks := b.t.Size()
	_, count := shareOf(b.made.Edges, b.t.Rank(), ranks)
	_, most := shareOf(b.made.Edges, 0, ranks)
	mine := graph.NewHostTuples(graph.Range{Count: count, Weighted: weighted})
	piece, each := int64(max(scatterTuples/ranks, 1)), 2
	if weighted {
		each = 3
	}
	for done := int64(0); done < most; done += piece {
		send := make([][]uint32, ranks) // two ends for each tuple, and the bits of its weight
		for r := range ranks {
			first, count := shareOf(b.made.Edges, r, ranks)
			if b.t.Rank() != 0 || count <= done {
				continue
			}
			part := graph.NewHostTuples(graph.Range{Count: min(piece, count-done), Weighted: weighted})
			list.Read(first+done, part.Edges, part.Weights)
			send[r] = make([]uint32, 0, each*len(part.Edges))
			for i, e := range part.Edges {
				if send[r] = append(send[r], uint32(e.U()), uint32(e.V())); weighted {
					send[r] = append(send[r], math.Float32bits(part.Weights[i]))
				}
			}
		}
		got, err := comm.Exchange(b.t, send)
		if err != nil {
			return nil, err
		}
		i := done
		for tuple := range slices.Chunk(got[0], each) {
			mine.Edges[i] = graph.NewEdge(graph.Global(tuple[0]), graph.Global(tuple[1]))
			if weighted {
				mine.Weights[i] = math.Float32frombits(tuple[2])
			}
			i++
		}
	}
	return mine.Read, nil
}
