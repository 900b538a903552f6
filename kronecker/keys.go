// SPDX-License-Identifier: Apache-2.0

package kronecker

import "g500/graph"

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
