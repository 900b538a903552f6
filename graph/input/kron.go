package input

import (
	"g500/graph"
	"g500/kronecker"
)

func kronParams(v values) kronecker.Params {
	return kronecker.Params{
		Scale: int(v.whole("scale")), EdgeFactor: v.whole("edgefactor"), Seed1: v.seed("seed"), Seed2: v.seed("seed2"),
	}
}

func kronSize(v values) (Size, error) {
	p := kronParams(v)
	return Size{Vertices: int64(p.Vertices()), Edges: p.Edges()}, nil
}

// kron is the official list of the benchmark: package kronecker makes it.
func kron(on resources, v values) (*list, error) {
	p := kronParams(v)
	parts, err := generated(on, p.Edges(), 1, func(lo, hi int64, into *part) {
		edges := make([]graph.Edge, hi-lo) // the beginning of a Fill costs as much as some hundred edges
		p.Fill(lo, edges)
		for _, e := range edges {
			into.add(uint32(e.U()), uint32(e.V()))
		}
	})
	return &list{vertices: int64(p.Vertices()), parts: parts}, err
}
