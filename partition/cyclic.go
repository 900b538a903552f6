package partition

import "g500/graph"

// Cyclic deals labels to ranks one by one: rank v mod P owns v, at place v div P (official program,
// src/common.h: VERTEX_OWNER and VERTEX_LOCAL). Any number of ranks will do.
type Cyclic struct {
	n graph.Global
	p graph.Global
}

// NewCyclic lays n vertices out over p ranks, p >= 1.
func NewCyclic(n graph.Global, p int) Cyclic { return Cyclic{n, graph.Global(p)} }

func (c Cyclic) Vertices() graph.Global           { return c.n }
func (c Cyclic) Ranks() int                       { return int(c.p) }
func (c Cyclic) Owner(v graph.Global) int         { return int(v % c.p) }
func (c Cyclic) Local(v graph.Global) graph.Local { return graph.Local(v / c.p) }
func (c Cyclic) Global(rank int, l graph.Local) graph.Global {
	return graph.Global(l)*c.p + graph.Global(rank)
}

// Count is the number of labels below N that leave the remainder rank when divided by P.
func (c Cyclic) Count(rank int) int { return int((c.n - graph.Global(rank) + c.p - 1) / c.p) }
