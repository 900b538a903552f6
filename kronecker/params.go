package kronecker

import "g500/graph"

// Params name one graph. The official graphs have EdgeFactor 16 and seeds 2 and 3.
type Params struct {
	Scale      int    // log2 of the number of vertices, 1 to graph.MaxScale
	EdgeFactor int64  // edge tuples per vertex
	Seed1      uint64 // user seeds of the random number generator
	Seed2      uint64
}

// Vertices is N = 2^Scale.
func (p Params) Vertices() graph.Global { return 1 << p.Scale }

// Edges is M = EdgeFactor * N, the number of edge tuples.
func (p Params) Edges() int64 { return p.EdgeFactor << p.Scale }
