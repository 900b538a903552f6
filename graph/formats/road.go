package formats

import (
	"math"

	"g500/internal/par"
)

// roadSize counts all streets with chains of the mean length, and six standard deviations more.
func roadSize(v values) (Size, error) {
	sides := v.sides()
	crossings := product(sides)
	streets := 2*crossings - sides[0] - sides[1]
	chain := v.fraction("chain")
	kept := float64(streets) * v.fraction("keep")
	deviation := 6 * math.Sqrt(float64(streets)) * (1 + chain)
	between := int64(kept*chain + deviation*(1+chain))
	return Size{Vertices: crossings + between, Edges: int64(kept+deviation) + between, Extra: 8 * crossings}, nil
}

// road imitates a road network, and is synthetic: nothing in it was measured on roads. Crossings stand on a grid. Each
// street between neighbouring crossings is kept with probability keep, and a kept street is a chain with a number of
// vertices of degree 2 between its ends that is geometrically distributed, with mean chain. What it has in common
// with road networks is what matters to a traversal: a mean degree of about 2.5 (with the defaults 4 * 0.8 * 2 / 2.6),
// most vertices with 1 to 4 neighbours, nearly all vertices in one component, and a diameter of the order of the sides.
// It has no highways, no hierarchy and no coast, and is not planar by more than its grid.
//
// The vertices of the chains of a crossing's streets to the east and to the south follow it in the numbering, so that
// neighbours mostly have numbers close to each other, as in files of road networks.
func road(on resources, v values) (*list, error) {
	r := newRoads(v)
	r.number(on.workers)
	if vertices := int64(r.first[len(r.first)-1]); vertices > MaxVertices {
		return nil, errTooManyVertices
	}
	parts, err := generated(on, r.width*r.height, 4, func(lo, hi int64, into *part) {
		for crossing := lo; crossing < hi; crossing++ {
			r.edgesOf(crossing, into)
		}
	})
	return &list{vertices: int64(r.first[len(r.first)-1]), parts: parts, undirected: true}, err
}

// roads are the streets of a road network. Street 2c leads from crossing c to the east, street 2c+1 to the south.
type roads struct {
	width, height   int64
	keep, longer    float64 // probabilities: of a street, and that a chain has a further vertex
	streets, chains stream
	first           []uint64 // the number of each crossing, and the number of all vertices
}

func newRoads(v values) *roads {
	sides, chain, seed := v.sides(), v.fraction("chain"), v.seed("seed")
	return &roads{width: sides[0], height: sides[1], keep: v.fraction("keep"), longer: chain / (1 + chain),
		streets: newStream(seed, forStreets), chains: newStream(seed, forChains)}
}

// street says whether the network has a street, to which crossing it leads, and how many vertices are between.
func (r *roads) street(s int64) (kept bool, to int64, between uint64) {
	const longest = 256 // words of a street; with the default mean no chain is so long
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

// number gives the crossings their numbers.
func (r *roads) number(workers int) {
	r.first = make([]uint64, r.width*r.height+1)
	par.For(workers, len(r.first)-1, 1<<14, func(_, lo, hi int) {
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
}

// edgesOf adds the edges of a crossing's streets to the east and to the south.
func (r *roads) edgesOf(crossing int64, into *part) {
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
