// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"slices"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/graph/formats"
	"g500/internal/par"
)

// Engines searches with engines of this project. They search graphs without duplicates and self-loops, in structures of
// their own, whose construction is not timed.
type Engines struct {
	name      string
	transport comm.Transport // of one rank
	all       map[string]bfs.New
	clock     func() time.Duration

	Graph  *Graph // of the last Load
	engine engine.Engine
	made   string // the key of engine
	found  engine.Result
	result []uint32
}

// NewEngines returns a machine for the strategies whose setting "engine" is a key of all. An engine returns ErrLeftOut
// if it cannot hold a graph. Only one goroutine reads the clock.
func NewEngines(name string, t comm.Transport, all map[string]bfs.New, clock func() time.Duration) *Engines {
	return &Engines{name: name, transport: t, all: all, clock: clock}
}

// NewCPU returns a machine with the engines for CPUs and a number of worker threads.
func NewCPU(t comm.Transport, workers int, clock func() time.Duration) *Engines {
	return NewEngines(fmt.Sprintf("%d CPU threads", workers), t,
		map[string]bfs.New{"cpu": bfs.NewHybrid(workers), "topdown": bfs.NewTopDown}, clock)
}

// Name returns the name of the machine.
func (e *Engines) Name() string { return e.name }

// Load keeps a graph for Prepare.
func (e *Engines) Load(g *Graph) error {
	e.Graph = g
	return e.Close()
}

// Prepare constructs the structure of an engine, unless it has it already.
func (e *Engines) Prepare(s Strategy) (err error) {
	key := s.Of(engineKey)
	kernel1, ours := e.all[key]
	if !ours || key != e.made {
		err = e.Close()
	}
	switch {
	case err != nil:
		return err
	case !ours:
		return ErrElsewhere
	case s.Of("output") == "distance":
		return fmt.Errorf("%w: it finds parents, not distances", ErrLeftOut)
	}
	if e.engine == nil {
		e.engine, err = kernel1(e.transport, e.Graph.tuples())
		e.made = key
	}
	return err
}

// tuples returns each edge of a symmetric graph once, and each arc of another graph.
func (g *Graph) tuples() graph.HostTuples {
	of := &formats.Graph{Offsets: g.Offsets, Neighbours: g.Columns, Directed: !g.Symmetric}
	list := formats.NewEdgeList(of, cores)
	tuples := graph.NewHostTuples(graph.Range{Count: list.Tuples(), Directed: !g.Symmetric})
	par.For(cores, len(tuples.Edges), pieceOf(len(tuples.Edges)), func(_, lo, hi int) {
		list.Read(int64(lo), tuples.Edges[lo:hi], nil)
	})
	return tuples
}

// Run searches from a vertex. Measures have no levels: reading the clock in each would be part of the time.
func (e *Engines) Run(source uint32) (m Measures, err error) {
	began := e.clock()
	e.found, err = e.engine.Search(graph.Global(source))
	m.Seconds = (e.clock() - began).Seconds()
	return m, err
}

// Result returns the parents of the last search.
func (e *Engines) Result() (r Result, err error) {
	tree, err := e.found.Host()
	if err != nil {
		return r, err
	}
	e.result = slices.Grow(e.result[:0], e.Graph.Vertices())[:e.Graph.Vertices()]
	each(len(e.result), func(v int) {
		e.result[v] = None
		if v < len(tree.Parents) && tree.Parents[v] != graph.NoParent {
			e.result[v] = uint32(tree.Parents[v])
		}
	})
	return Result{Parents: e.result}, nil
}

// Close frees the structure.
func (e *Engines) Close() error {
	if e.engine == nil {
		return nil
	}
	old := e.engine
	e.engine = nil
	return old.Close()
}
