package lab

import (
	"fmt"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
)

// CPU searches by this project's engines for CPUs. They search undirected graphs, without duplicates and loops, in a
// structure of their own, whose construction is not timed.
type CPU struct {
	t       comm.Transport // of one rank
	workers int
	clock   func() time.Duration

	graph  *Graph
	engine bfs.Engine
	tree   bfs.Tree
}

// NewCPU makes a machine of that many worker threads. The clock is to be read from one goroutine.
func NewCPU(t comm.Transport, workers int, clock func() time.Duration) *CPU {
	return &CPU{t: t, workers: workers, clock: clock}
}

// Name says how many threads search.
func (c *CPU) Name() string { return fmt.Sprintf("%d CPU threads", c.workers) }

// Load takes a graph.
func (c *CPU) Load(g *Graph) error {
	c.graph = g
	return c.Close()
}

// Prepare makes the structure that an engine searches.
func (c *CPU) Prepare(s Strategy) error {
	if err := c.Close(); err != nil {
		return err
	}
	var kernel1 bfs.New
	switch engine := s.Of(engineKey); engine {
	case "hybrid":
		kernel1 = bfs.NewHybrid(c.workers)
	case "topdown":
		kernel1 = bfs.NewTopDown
	case "":
		return fmt.Errorf("%w: it needs a GPU, and this is no GPU program, or there is no GPU", ErrLeftOut)
	default:
		return fmt.Errorf("lab: strategy %s names no engine for CPUs: %q", s.Name, engine)
	}
	if !c.graph.Symmetric {
		return fmt.Errorf("%w: it searches undirected graphs only", ErrLeftOut)
	}
	if s.Of("output") == "distance" {
		return fmt.Errorf("%w: it finds parents, not distances", ErrLeftOut)
	}
	var err error
	c.engine, err = kernel1(c.t, c.graph.tuples())
	return err
}

// tuples are the edges of a symmetric graph, each once.
func (g *Graph) tuples() (tuples graph.HostTuples) {
	for v := range uint32(g.Vertices()) {
		for _, to := range g.row(v) {
			if to >= v {
				tuples = append(tuples, graph.NewEdge(graph.Global(v), graph.Global(to)))
			}
		}
	}
	return tuples
}

// Search searches from a vertex.
func (c *CPU) Search(source uint32) (m Measures, err error) {
	began := c.clock()
	c.tree, err = c.engine.BFS(graph.Global(source))
	m.Seconds = (c.clock() - began).Seconds()
	return m, err
}

// Result is the tree of the last search.
func (c *CPU) Result() (r Result, err error) {
	tree, err := c.tree.Parents()
	if err != nil {
		return r, err
	}
	r.Parents = make([]uint32, c.graph.Vertices())
	for v := range r.Parents {
		r.Parents[v] = None
		if v < len(tree) && tree[v] != graph.NoParent {
			r.Parents[v] = uint32(tree[v])
		}
	}
	return r, nil
}

// Levels is nil: the clock of a level would be part of what is measured.
func (c *CPU) Levels() []Level { return nil }

// Close gives the structure back.
func (c *CPU) Close() error {
	if c.engine == nil {
		return nil
	}
	e := c.engine
	c.engine = nil
	return e.Close()
}
