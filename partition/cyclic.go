// SPDX-License-Identifier: Apache-2.0

package partition

import (
	"math/bits"

	"g500/graph"
)

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
	if c.shift >= 0 {
		return int(v & (c.p - 1))
	}
	return int(v % c.p)
}

// Local returns v div P.
func (c Cyclic) Local(v graph.Global) graph.Local {
	if c.shift >= 0 {
		return graph.Local(v >> c.shift)
	}
	return graph.Local(v / c.p)
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
