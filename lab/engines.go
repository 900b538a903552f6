package lab

import (
	"fmt"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
)

// Engines searches by engines of this project. They search undirected graphs, without duplicates and loops, in a
// structure of their own, whose construction is not timed.
type Engines struct {
	name  string
	t     comm.Transport // of one rank
	all   map[string]bfs.New
	clock func() time.Duration

	graph  *Graph
	engine bfs.Engine
	tree   bfs.Tree
}

// NewEngines makes a machine of that name. Its engines are found by the names that strategies have for them; what they
// cannot hold is ErrLeftOut. The clock is to be read from one goroutine.
func NewEngines(name string, t comm.Transport, all map[string]bfs.New, clock func() time.Duration) *Engines {
	return &Engines{name: name, t: t, all: all, clock: clock}
}

// NeedsGPU reports whether a strategy runs on a GPU only.
func (s Strategy) NeedsGPU() bool { return s.Of(engineKey) != "cpu" && s.Of(engineKey) != "topdown" }

// NewCPU makes a machine of that many worker threads.
func NewCPU(t comm.Transport, workers int, clock func() time.Duration) *Engines {
	return NewEngines(fmt.Sprintf("%d CPU threads", workers), t,
		map[string]bfs.New{"cpu": bfs.NewHybrid(workers), "topdown": bfs.NewTopDown}, clock)
}

// Name is the machine's.
func (e *Engines) Name() string { return e.name }

// Load takes a graph.
func (e *Engines) Load(g *Graph) error {
	e.graph = g
	return e.Close()
}

// Prepare makes the structure that an engine searches.
func (e *Engines) Prepare(s Strategy) (err error) {
	if err := e.Close(); err != nil {
		return err
	}
	kernel1, ours := e.all[s.Of(engineKey)]
	switch {
	case !ours:
		return ErrElsewhere
	case !e.graph.Symmetric:
		return fmt.Errorf("%w: it searches undirected graphs only", ErrLeftOut)
	case s.Of("output") == "distance":
		return fmt.Errorf("%w: it finds parents, not distances", ErrLeftOut)
	}
	e.engine, err = kernel1(e.t, e.graph.tuples())
	return err
}

// tuples are the edges of a symmetric graph, each once.
func (g *Graph) tuples() graph.HostTuples {
	tuples := make(graph.HostTuples, 0, len(g.Columns)/2)
	for v := range uint32(g.Vertices()) {
		for _, to := range g.Row(v) {
			if to >= v {
				tuples = append(tuples, graph.NewEdge(graph.Global(v), graph.Global(to)))
			}
		}
	}
	return tuples
}

// Search searches from a vertex.
func (e *Engines) Search(source uint32) (m Measures, err error) {
	began := e.clock()
	e.tree, err = e.engine.Search(graph.Global(source))
	m.Seconds = (e.clock() - began).Seconds()
	return m, err
}

// Result is the tree of the last search.
func (e *Engines) Result() (r Result, err error) {
	tree, err := e.tree.Parents()
	if err != nil {
		return r, err
	}
	r.Parents = make([]uint32, e.graph.Vertices())
	for v := range r.Parents {
		r.Parents[v] = None
		if v < len(tree) && tree[v] != graph.NoParent {
			r.Parents[v] = uint32(tree[v])
		}
	}
	return r, nil
}

// Levels is nil: the clock of a level would be part of what is measured. Shares is nil: the graph is in one piece.
func (e *Engines) Levels() []Level { return nil }
func (e *Engines) Shares() []Share { return nil }

// Close gives the structure back.
func (e *Engines) Close() error {
	if e.engine == nil {
		return nil
	}
	old := e.engine
	e.engine = nil
	return old.Close()
}
