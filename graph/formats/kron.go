// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"g500/graph"
	"g500/kronecker"
)

func kronParams(v values) kronecker.Params {
	return kronecker.Params{
		Scale: int(v.integer("scale")), EdgeFactor: v.integer("edgefactor"), Seed1: v.seed("seed"), Seed2: v.seed("seed2"),
	}
}

func kronSize(v values) (Size, error) {
	p := kronParams(v)
	return Size{Vertices: int64(p.Vertices()), Edges: p.Edges()}, nil
}

// kron is the official edge list of the benchmark, made by package kronecker.
func kron(on task) (*list, error) {
	p := kronParams(on.values)
	return on.generated(p.Edges(), 1, func(lo, hi int64, into *chunk) {
		var edges [1 << 12]graph.Edge // starting a Fill costs as much as some hundred edges
		for at := lo; at < hi; at += int64(len(edges)) {
			some := edges[:min(int64(len(edges)), hi-at)]
			p.Fill(at, some)
			for _, e := range some {
				into.add(uint32(e.U()), uint32(e.V()))
			}
		}
	})
}
