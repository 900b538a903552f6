package partition

import "g500/graph"

// Block gives each rank one run of consecutive labels. The first N mod P ranks own one vertex more than the
// others.
type Block struct {
	n     graph.Global
	p     graph.Global
	small graph.Global // vertices of a rank without the extra one: N div P
	extra graph.Global // ranks that own one vertex more: N mod P
}

// NewBlock lays n vertices out over p ranks, p >= 1.
func NewBlock(n graph.Global, p int) Block {
	ranks := graph.Global(p)
	return Block{n, ranks, n / ranks, n % ranks}
}

func (b Block) Vertices() graph.Global { return b.n }
func (b Block) Ranks() int             { return int(b.p) }

// Owner divides within the part of the label range, large or small blocks, that v lies in.
func (b Block) Owner(v graph.Global) int {
	large := b.extra * (b.small + 1)
	if v < large {
		return int(v / (b.small + 1))
	}
	return int(b.extra + (v-large)/b.small)
}

func (b Block) Local(v graph.Global) graph.Local { return graph.Local(v - b.first(b.Owner(v))) }

func (b Block) Global(rank int, l graph.Local) graph.Global {
	return b.first(rank) + graph.Global(l)
}

func (b Block) Count(rank int) int {
	if graph.Global(rank) < b.extra {
		return int(b.small) + 1
	}
	return int(b.small)
}

// first is the lowest label of a rank.
func (b Block) first(rank int) graph.Global {
	r := graph.Global(rank)
	return r*b.small + min(r, b.extra)
}
