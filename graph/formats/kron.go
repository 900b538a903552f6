package formats

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
		var edges [1 << 12]graph.Edge // the beginning of a Fill costs as much as some hundred edges
		for at := lo; at < hi; at += int64(len(edges)) {
			some := edges[:min(int64(len(edges)), hi-at)]
			p.Fill(at, some)
			for _, e := range some {
				into.add(uint32(e.U()), uint32(e.V()))
			}
		}
	})
	return &list{vertices: int64(p.Vertices()), parts: parts}, err
}
