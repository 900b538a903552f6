// SPDX-License-Identifier: Apache-2.0

package partition

import (
	"fmt"

	"g500/graph"
)

// Layout maps vertices to ranks and back.
//
// Invariants, for every v in [0, Vertices()): Global(Owner(v), Local(v)) == v, Local(v) < Count(Owner(v)), and Local is
// monotone in v on each rank. The counts of all ranks add up to Vertices(). The caller of a constructor ensures that no
// rank owns more than graph.MaxLocals vertices.
type Layout interface {
	// Vertices returns the number of labels, N.
	Vertices() graph.Global
	// Ranks returns the number of ranks, P.
	Ranks() int
	// Owner returns the rank that owns v.
	Owner(v graph.Global) int
	// Local returns the local id of v: its index among the vertices of its owner, in label order.
	Local(v graph.Global) graph.Local
	// Global returns the label of the vertex with local id l on a rank.
	Global(rank int, l graph.Local) graph.Global
	// Count returns the number of vertices that a rank owns.
	Count(rank int) int
}

// CheckRoot returns an error, the same on all ranks, if root is not a vertex.
func CheckRoot(l Layout, root graph.Global) error {
	if root < 0 || root >= l.Vertices() {
		return fmt.Errorf("root %d is not a vertex; the graph has vertices 0 to %d", root, l.Vertices()-1)
	}
	return nil
}
