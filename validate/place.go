package validate

import (
	"g500/graph"
	"g500/partition"
)

// place names a vertex by its owner (high 32 bits) and its place there (low 32 bits), so that following parents
// takes no division.
type place uint64

// nowhere is no vertex's place. No job has that many ranks.
const nowhere = ^place(0)

func (p place) rank() int          { return int(p >> 32) }
func (p place) local() graph.Local { return graph.Local(p) }

// atlas turns labels into places and back.
type atlas struct {
	layout   partition.Layout
	vertices graph.Global
	alone    bool // one rank: a label is the place, because Local is monotone and onto [0, N)
}

func newAtlas(layout partition.Layout) atlas {
	return atlas{layout, layout.Vertices(), layout.Ranks() == 1}
}

// holds reports whether v is a vertex.
func (a atlas) holds(v graph.Global) bool { return uint64(v) < uint64(a.vertices) }

func (a atlas) place(v graph.Global) place {
	if a.alone {
		return place(v)
	}
	return place(a.layout.Owner(v))<<32 | place(a.layout.Local(v))
}

func (a atlas) label(p place) graph.Global { return a.layout.Global(p.rank(), p.local()) }
