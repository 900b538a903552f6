// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"fmt"
	"math"

	"g500/graph"
)

// Params are the parameters of a graph. The official graphs have EdgeFactor 16 and seeds 2 and 3.
type Params struct {
	Scale      int    // log2 of the number of vertices, 1 to graph.MaxScale
	EdgeFactor int64  // edge tuples per vertex
	Seed1      uint64 // seeds of the random number generator
	Seed2      uint64
}

// Vertices returns N = 2^Scale.
func (p Params) Vertices() graph.Global { return 1 << p.Scale }

// Edges returns M = EdgeFactor * N, the number of edge tuples.
func (p Params) Edges() int64 { return p.EdgeFactor << p.Scale }

// Validate returns an error that names a parameter out of range and its range. All seeds are valid. The other methods
// require valid parameters.
func (p Params) Validate() error {
	if p.Scale < 1 || p.Scale > graph.MaxScale {
		return fmt.Errorf("kronecker: scale %d is out of range: choose 1 to %d", p.Scale, graph.MaxScale)
	}
	if most := int64(math.MaxInt64) >> p.Scale; p.EdgeFactor < 1 || p.EdgeFactor > most {
		return fmt.Errorf("kronecker: edge factor %d is out of range at scale %d: choose 1 to %d",
			p.EdgeFactor, p.Scale, most)
	}
	return nil
}

// KeyCandidate returns candidate k of the search keys (specification, section "Sampling 64 Search Keys"). The keys of a
// run are the first 64 different candidates that have an edge to another vertex. The Graph500 reference code examines
// at most N candidates.
func (p Params) KeyCandidate(k int64) graph.Global {
	state := seeded(p.Seed1, p.Seed2).skip(2, 0, 4*uint64(k)) // two doubles of two draws each
	sum := drawDouble(&state)
	sum += drawDouble(&state)
	n := p.Vertices()
	return graph.Global(sum*float64(n)) % n
}

// drawDouble returns a double, uniform in [0, 1], from two draws. The conversions of the products prevent fused
// multiply-add, which would change the last bit of every fourth double.
func drawDouble(state *rng) float64 {
	const (
		unit  = 4.65661287524579692e-10  // 1/(2^31-1)
		finer = 2.168404346990492787e-19 // 1/(2^31-1)^2
	)
	high := float64(state.next())
	low := float64(state.next())
	return float64(high*unit) + float64(low*finer)
}
