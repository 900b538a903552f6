package partition

import (
	"fmt"

	"g500/graph"
)

// Layout maps vertices to ranks and back.
//
// Invariants, for every v in [0, Vertices()): Global(Owner(v), Local(v)) == v, Local(v) < Count(Owner(v)), and
// Local is monotone in v on each rank. The counts of all ranks add up to Vertices(). No rank may own more than
// graph.MaxLocals vertices: whoever makes a layout sees to it.
type Layout interface {
	// Vertices is the number of labels, N.
	Vertices() graph.Global
	// Ranks is the number of ranks, P.
	Ranks() int
	// Owner is the rank that owns v.
	Owner(v graph.Global) int
	// Local is v's place among the vertices of its owner, in label order.
	Local(v graph.Global) graph.Local
	// Global is the label of the vertex at place l of a rank.
	Global(rank int, l graph.Local) graph.Global
	// Count is the number of vertices a rank owns.
	Count(rank int) int
}

// CheckRoot returns an error, the same on all ranks, if root is no vertex.
func CheckRoot(l Layout, root graph.Global) error {
	if root < 0 || root >= l.Vertices() {
		return fmt.Errorf("root %d is no vertex; the graph has vertices 0 to %d", root, l.Vertices()-1)
	}
	return nil
}
