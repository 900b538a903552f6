// SPDX-License-Identifier: Apache-2.0

// Package partition assigns vertices to ranks. It is arithmetic only: no communication, no memory.
//
// All runs use Cyclic, the distribution of the Graph500 reference code: rank v mod P owns v with the local id v div P.
// Labels are scrambled, so each rank gets the same mix of hubs and leaves.
package partition

import (
	"math/bits"

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

// Cyclic is the layout in which rank v mod P owns v with the local id v div P (Graph500 reference code, src/common.h:
// VERTEX_OWNER and VERTEX_LOCAL). P is any number of ranks; for a power of two no division is needed.
type Cyclic struct {
	n, p  graph.Global
	shift int // log2 P if P is a power of two, else -1
}

// NewCyclic returns the layout of n vertices over p ranks, p >= 1.
func NewCyclic(n graph.Global, p int) Cyclic {
	shift := -1
	if p&(p-1) == 0 {
		shift = bits.TrailingZeros(uint(p))
	}
	return Cyclic{n, graph.Global(p), shift}
}

// Vertices returns N.
func (c Cyclic) Vertices() graph.Global { return c.n }

// Ranks returns P.
func (c Cyclic) Ranks() int { return int(c.p) }

// Owner returns v mod P.
func (c Cyclic) Owner(v graph.Global) int {
	rank, _ := c.Split(v)
	return rank
}

// Local returns v div P.
func (c Cyclic) Local(v graph.Global) graph.Local {
	_, l := c.Split(v)
	return l
}

// Split returns the owner of v, and its local id there.
func (c Cyclic) Split(v graph.Global) (rank int, l graph.Local) {
	if c.shift >= 0 {
		return int(v & (c.p - 1)), graph.Local(v >> (c.shift & 63))
	}
	return int(v % c.p), graph.Local(v / c.p)
}

// Global returns l*P + rank.
func (c Cyclic) Global(rank int, l graph.Local) graph.Global {
	return graph.Global(l)*c.p + graph.Global(rank)
}

// Count returns the number of labels v below N with v mod P == rank.
func (c Cyclic) Count(rank int) int { return int((c.n - graph.Global(rank) + c.p - 1) / c.p) }
