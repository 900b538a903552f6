package sssp

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// Engine finds shortest paths in one graph that lies spread over the ranks of a Transport. All methods but Layout,
// HasEdge and Close are collective.
type Engine interface {
	// Layout says which rank owns which vertex.
	Layout() partition.Layout
	// HasEdge reports whether an owned vertex has an edge to another vertex, so that it may be a search key.
	HasEdge(graph.Local) bool
	// SSSP searches from root, which every rank names alike. The work from the root to the result in official form is
	// what the benchmark times; nothing is carried from one search to the next.
	SSSP(root graph.Global) (Paths, error)
	// Close gives the structure's memory back.
	Close() error
}

// Paths is the result of one search on one rank. It belongs to the engine and is overwritten by the next search.
type Paths interface {
	// Host is the result in host memory, for every owned vertex in label order: the label of its parent, which is
	// itself for the root and graph.NoParent where it was not reached; and its distance, Unreached there.
	Host() (parents []graph.Global, distances []float32, err error)
}

// Unreached is the distance of a vertex that was not reached, as the official program has it.
const Unreached float32 = -1

// HostPaths are Paths in host memory.
type HostPaths struct {
	Parents   []graph.Global
	Distances []float32
}

// Host returns the result itself.
func (p *HostPaths) Host() ([]graph.Global, []float32, error) { return p.Parents, p.Distances, nil }

// New is kernel 1 of an engine: it makes a searchable structure of the weighted edge tuples that are spread over the
// ranks in any way, without the edges that the pruning leaves out. No weight is negative, and no sum of them passes the
// largest number. It is collective and timed. It may read the tuples until it returns, not change them.
type New func(t comm.Transport, tuples graph.WeightedTuples, prune Pruning) (Engine, error)

// checkRoot refuses a root that is no vertex: on all ranks alike, since all name the same root.
func checkRoot(root graph.Global, layout partition.Layout) error {
	if root < 0 || root >= layout.Vertices() {
		return fmt.Errorf("sssp: root %d is no vertex; the graph has vertices 0 to %d", root, layout.Vertices()-1)
	}
	return nil
}
