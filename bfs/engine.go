package bfs

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// Engine searches one graph that lies spread over the ranks of a Transport. All methods but Layout and Close are
// collective; an Engine is used from the goroutine of its rank.
type Engine interface {
	// Layout says which rank owns which vertex.
	Layout() partition.Layout
	// HasEdge reports whether an owned vertex has an edge to another vertex, so that it may be a search key.
	// It is local to the rank.
	HasEdge(graph.Local) bool
	// BFS searches from root, which every rank names alike. The work from the root to the finished tree in
	// official form is what the benchmark times; nothing is carried from one search to the next.
	BFS(root graph.Global) (Tree, error)
	// Close gives the structure's memory back.
	Close() error
}

// Tree is the result of one search on one rank: for every owned vertex, in label order, the label of its parent;
// the root is its own parent. It belongs to the engine and is overwritten by the next search.
type Tree interface {
	// Parents is the tree in host memory, graph.NoParent where a vertex was not reached. An engine whose
	// result lies elsewhere copies it here, outside the timed search.
	Parents() ([]graph.Global, error)
}

// HostTree is a Tree that lies in host memory.
type HostTree []graph.Global

// Parents returns the tree itself.
func (t HostTree) Parents() ([]graph.Global, error) { return t, nil }

// New is kernel 1 of an engine: it makes a searchable structure of the edge tuples that are spread over the
// ranks in any way. It is collective and timed. It may read the tuples until it returns, not change them.
type New func(t comm.Transport, tuples graph.Tuples) (Engine, error)

// checkRoot refuses a root that is no vertex: on all ranks alike, since all name the same root.
func checkRoot(root graph.Global, layout partition.Layout) error {
	if root < 0 || root >= layout.Vertices() {
		return fmt.Errorf("bfs: root %d is no vertex; the graph has vertices 0 to %d", root, layout.Vertices()-1)
	}
	return nil
}
