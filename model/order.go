package model

import (
	"math"
	"sort"
)

// stretch is a part of the hub order of the core whose vertices have about the same degree: how many vertices of each
// class it has. Vertices of a class with few tuple ends differ, as Poisson says: so many of them have 2, 3 and so on.
type stretch struct {
	degree  float64
	classes []member
}

type member struct {
	class    int
	vertices float64
}

func (s stretch) vertices() (n float64) {
	for _, m := range s.classes {
		n += m.vertices
	}
	return n
}

// found is the share of its vertices that frontiers find which take what is missed (wave.go) from one state to another.
// A vertex with d neighbours, each in these frontiers with a probability q, is missed with (1-q)^d.
func (s stretch) found(g *Graph, from, to []float64) float64 {
	found := 0.0
	for _, m := range s.classes {
		all := g.classes[m.class].all
		missed := func(x float64) float64 { return math.Pow(max(1-x/all, 0), s.degree) }
		found += m.vertices * (missed(from[m.class]) - missed(to[m.class]))
	}
	return found / s.vertices()
}

// manyEnds is the mean number of tuple ends above which all vertices of a class are taken to have the same.
const manyEnds = 64

// hubOrder is the core in the order of degrees. Ranks whose core is shorter than the longest have leaves in it: so many
// of all ranks together.
func (g *Graph) hubOrder(leaves float64) []stretch {
	byDegree := map[int][]member{}
	add := func(degree, class int, vertices float64) {
		if vertices > 0 {
			byDegree[degree] = append(byDegree[degree], member{class, vertices})
		}
	}
	allLeaves := g.Vertices - g.Core
	for k, c := range g.classes {
		if c.ends > manyEnds {
			add(int(c.ends), k, c.labels)
			continue
		}
		chance := math.Exp(-c.ends) // of no end; then of one more each time
		for d := 1; d < 2*manyEnds; d++ {
			chance *= c.ends / float64(d)
			if d == 1 {
				add(d, k, c.labels*chance*leaves/allLeaves)
			} else {
				add(d, k, c.labels*chance)
			}
		}
	}
	var order []stretch
	for degree, classes := range byDegree {
		sort.Slice(classes, func(i, j int) bool { return classes[i].class < classes[j].class })
		order = append(order, stretch{float64(degree), classes})
	}
	sort.Slice(order, func(i, j int) bool { return order[i].degree > order[j].degree })
	return order
}

// longestCore is the number of core vertices of the rank that has most: the highest of so many draws of a binomial
// (Gumbel's approximation).
func (g *Graph) longestCore(ranks float64) float64 {
	mean := g.Core / ranks
	if ranks == 1 {
		return mean
	}
	a := math.Sqrt(2 * math.Log(ranks))
	highest := a - (math.Log(math.Log(ranks))+math.Log(4*math.Pi))/(2*a) + 0.5772/a
	return mean + math.Sqrt(mean*(1-g.Core/g.Labels))*max(highest, 0.56)
}

// run is a part of a rank's hub ids in which each is new with the same probability.
type run struct{ ids, chance float64 }

// gapBytes is the length of a message of gaps as varints (bfs/gather.go): a new bit takes one byte, and one more for
// each of 128, 128^2 ... that the gap before it reaches. The first gap begins with the first bit.
func gapBytes(runs []run) float64 {
	ends, sums := []float64{0}, []float64{0} // at the end of each run: hub ids, and -ln of no new one among them
	for _, r := range runs {
		last := len(ends) - 1
		ends = append(ends, ends[last]+r.ids)
		sums = append(sums, sums[last]-r.ids*math.Log1p(-min(r.chance, 1-1e-12)))
	}
	before := func(x float64) float64 {
		i := min(sort.SearchFloat64s(ends[1:], x), len(runs)-1)
		if runs[i].ids == 0 {
			return sums[i]
		}
		return sums[i] + (sums[i+1]-sums[i])*(x-ends[i])/runs[i].ids
	}
	const pieces = 8
	bytes := 0.0
	for i, r := range runs {
		for piece := range pieces {
			x := ends[i] + r.ids*(float64(piece)+0.5)/pieces
			each := 1.0
			for reach := 128.0; reach < x; reach *= 128 {
				each += math.Exp(before(x-reach) - before(x))
			}
			bytes += each * r.ids * r.chance / pieces
		}
	}
	return bytes
}
