// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"math"

	"g500/internal/par"
)

// roadSize counts the expected vertices and edges and six standard deviations more.
func roadSize(v values) (Size, error) {
	sides := v.sides()
	crossings := product(sides)
	streets := 2*crossings - sides[0] - sides[1]
	chain := v.real("chain")
	kept := float64(streets) * v.real("keep")
	deviation := 6 * math.Sqrt(float64(streets)) * (1 + chain)
	between := int64(kept*chain + deviation*(1+chain))
	return Size{Vertices: crossings + between, Edges: int64(kept+deviation) + between, Extra: 8 * crossings}, nil
}

// road is a synthetic graph like a road network; no value was measured on roads. Crossings form a grid. Each street
// between neighbouring crossings exists with probability keep. A street is a chain of vertices of degree 2 between its
// ends; their number has a geometric distribution with mean chain. The graph has the properties of road networks that
// matter to a traversal: a mean degree of about 2.5 (by default 4 * 0.8 * 2 / 2.6), most vertices with 1 to 4
// neighbours, nearly all vertices in one component, and a diameter of the order of the sides. It has neither highways
// nor a hierarchy nor a coast.
//
// The vertices of the streets to the east and to the south follow their crossing in the numbering, so neighbours mostly
// have close numbers, as in files of road networks.
func road(on task) (*list, error) {
	sides, chain, seed := on.sides(), on.real("chain"), on.seed("seed")
	r := &roads{width: sides[0], height: sides[1], keep: on.real("keep"), longer: chain / (1 + chain),
		streets: newStream(seed, forStreets), chains: newStream(seed, forChains)}
	if on.size.Vertices = r.number(on.workers); on.size.Vertices > MaxVertices {
		return nil, errTooManyVertices
	}
	return on.generated(r.width*r.height, 4, func(lo, hi int64, into *chunk) {
		for crossing := lo; crossing < hi; crossing++ {
			r.edgesOf(crossing, into)
		}
	})
}

// roads are the streets of a road network. Street 2c leads from crossing c to the east, street 2c+1 to the south.
type roads struct {
	width, height   int64
	keep, longer    float64 // probabilities: of a street, and that a chain has a further vertex
	streets, chains stream
	first           []uint64 // the number of each crossing
}

// street reports whether a street exists, to which crossing it leads, and the number of vertices between its ends.
func (r *roads) street(s int64) (kept bool, to int64, between uint64) {
	const longest = 256 // random words per street; with the default mean no chain is so long
	crossing := s / 2
	to = crossing + 1
	inside := to%r.width != 0
	if s%2 == 1 {
		to = crossing + r.width
		inside = to < r.width*r.height
	}
	if !inside || r.streets.unit(uint64(s)) >= r.keep {
		return false, 0, 0
	}
	for between < longest-1 && r.chains.unit(uint64(s)*longest+between) < r.longer {
		between++
	}
	return true, to, between
}

// number numbers the crossings, and returns the number of vertices.
func (r *roads) number(workers int) int64 {
	r.first = make([]uint64, r.width*r.height)
	par.For(workers, len(r.first), 1<<14, func(_, lo, hi int) {
		for c := int64(lo); c < int64(hi); c++ {
			_, _, east := r.street(2 * c)
			_, _, south := r.street(2*c + 1)
			r.first[c] = 1 + east + south
		}
	})
	sum := uint64(0)
	for c, n := range r.first {
		r.first[c] = sum
		sum += n
	}
	return int64(sum)
}

// edgesOf adds the edges of a crossing's streets to the east and to the south.
func (r *roads) edgesOf(crossing int64, into *chunk) {
	next := uint32(r.first[crossing]) + 1
	for s := 2 * crossing; s < 2*crossing+2; s++ {
		kept, to, between := r.street(s)
		if !kept {
			continue
		}
		at := uint32(r.first[crossing])
		for range between {
			into.add(at, next)
			at, next = next, next+1
		}
		into.add(at, uint32(r.first[to]))
	}
}
