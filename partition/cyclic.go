package partition

import (
	"math/bits"

	"g500/graph"
)

// Cyclic deals labels to ranks one by one: rank v mod P owns v, at place v div P (official program,
// src/common.h: VERTEX_OWNER and VERTEX_LOCAL). Any number of ranks will do; a power of two needs no division.
type Cyclic struct {
	n, p  graph.Global
	shift int // log2 P where P is a power of two, else -1
}

// NewCyclic lays n vertices out over p ranks, p >= 1.
func NewCyclic(n graph.Global, p int) Cyclic {
	shift := -1
	if p&(p-1) == 0 {
		shift = bits.TrailingZeros(uint(p))
	}
	return Cyclic{n, graph.Global(p), shift}
}

// Vertices is N.
func (c Cyclic) Vertices() graph.Global { return c.n }

// Ranks is P.
func (c Cyclic) Ranks() int { return int(c.p) }

// Owner is v mod P.
func (c Cyclic) Owner(v graph.Global) int {
	if c.shift >= 0 {
		return int(v & (c.p - 1))
	}
	return int(v % c.p)
}

// Local is v div P.
func (c Cyclic) Local(v graph.Global) graph.Local {
	if c.shift >= 0 {
		return graph.Local(v >> c.shift)
	}
	return graph.Local(v / c.p)
}

// Global is l*P + rank.
func (c Cyclic) Global(rank int, l graph.Local) graph.Global {
	return graph.Global(l)*c.p + graph.Global(rank)
}

// Count is the number of labels below N that leave the remainder rank when divided by P.
func (c Cyclic) Count(rank int) int { return int((c.n - graph.Global(rank) + c.p - 1) / c.p) }
