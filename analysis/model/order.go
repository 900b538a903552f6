package model

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// stretch is a part of the non-leaf subgraph in degree order whose vertices have about the same degree. Degrees of a
// class with few tuple ends are Poisson distributed, so its vertices are in several stretches.
type stretch struct {
	degree     float64
	replicated float64 // share of its vertices in the replicated hub bitmap
	classes    []member
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

// found returns the share of its vertices that are visited while missed (search.go) rises between two states.
func (s stretch) found(g *Graph, from, to []float64) float64 {
	found := 0.0
	for _, m := range s.classes {
		found += m.vertices * (g.missing(m.class, s.degree, from) - g.missing(m.class, s.degree, to))
	}
	return found / s.vertices()
}

// missing returns the probability that none of the neighbours of a vertex is in the frontiers that gave missed: if each
// is with a probability q, none of d is with (1-q)^d.
func (g *Graph) missing(class int, degree float64, missed []float64) float64 {
	return math.Pow(max(1-missed[class]/g.classes[class].all, 0), degree)
}

// manyEnds is the mean number of tuple ends above which all vertices of a class are taken to have the same degree.
const manyEnds = 64

// degreeOrder returns the non-leaf subgraph by decreasing degree. Ranks with fewer non-leaf vertices than the longest
// part fill it with leaves: that many of all ranks together.
func (g *Graph) degreeOrder(leaves float64) (order []stretch) {
	byDegree := map[int][]member{}
	add := func(degree, class int, vertices float64) {
		if vertices > 0 {
			byDegree[degree] = append(byDegree[degree], member{class, vertices})
		}
	}
	for k, c := range g.classes {
		if c.ends > manyEnds {
			add(int(c.ends), k, c.labels)
			continue
		}
		chance := math.Exp(-c.ends) // of 0 ends, then of d
		for d := 1; d < 2*manyEnds; d++ {
			chance *= c.ends / float64(d)
			if d == 1 {
				add(d, k, c.labels*chance*leaves/(g.Vertices-g.Inner))
			} else {
				add(d, k, c.labels*chance)
			}
		}
	}
	for degree, classes := range byDegree {
		order = append(order, stretch{float64(degree), 1, classes})
	}
	slices.SortFunc(order, func(a, b stretch) int { return cmp.Compare(b.degree, a.degree) })
	return order
}

// longestPart returns the expected number of non-leaf vertices of the rank with the most, the maximum of binomial draws
// (Gumbel's approximation).
func (g *Graph) longestPart(ranks float64) float64 {
	mean := g.Inner / ranks
	if ranks == 1 {
		return mean
	}
	a := math.Sqrt(2 * math.Log(ranks))
	deviations := max(a-(math.Log(math.Log(ranks))+math.Log(4*math.Pi))/(2*a)+0.5772/a, 0.56)
	return mean + math.Sqrt(mean*(1-g.Inner/g.Labels))*deviations
}

// run is a part of a rank's ids in which each bit is new with the same probability.
type run struct{ ids, chance float64 }

// gapBytes returns the mean length of a message of gaps as varints (bfs/gather.go): a new bit takes one byte, and one
// more for each of 128, 128^2 ... that the gap before it reaches. The message has that many parts in sequence, each
// with these runs; the first gap begins at a random position of a span.
func gapBytes(runs []run, parts, span float64) (bytes float64) {
	const pieces, apart = 8, 4 // parts from the fourth on have about the same length
	d := densityOf(runs)
	for i, r := range runs {
		if r.chance == 0 {
			continue
		}
		for piece := range pieces {
			x := d.ends[i] + r.ids*(float64(piece)+0.5)/pieces
			for part := 0.0; part < min(parts, apart); part++ {
				alike := 1.0
				if part == apart-1 {
					alike = parts - part
				}
				bytes += alike * d.lengthAt(part*d.length()+x, span) * r.ids * r.chance / pieces
			}
		}
	}
	return bytes
}

// density is the density of new bits in a part that repeats: for the end of each run, ids and -ln of the probability
// of no new bit before.
type density struct{ ends, none []float64 }

func densityOf(runs []run) density {
	d := density{[]float64{0}, []float64{0}}
	for i, r := range runs {
		d.ends = append(d.ends, d.ends[i]+r.ids)
		d.none = append(d.none, d.none[i]-r.ids*math.Log1p(-min(r.chance, 1-1e-12)))
	}
	return d
}

func (d density) length() float64 { return d.ends[len(d.ends)-1] }

// before returns -ln of the probability of no new bit before position x.
func (d density) before(x float64) float64 {
	part := math.Floor(x / d.length())
	x -= part * d.length()
	i := min(sort.SearchFloat64s(d.ends[1:], x), len(d.ends)-2)
	within := 0.0
	if ids := d.ends[i+1] - d.ends[i]; ids > 0 {
		within = (d.none[i+1] - d.none[i]) * (x - d.ends[i]) / ids
	}
	return part*d.none[len(d.none)-1] + d.none[i] + within
}

// lengthAt returns the mean length in bytes of the gap before position x.
func (d density) lengthAt(x, span float64) float64 {
	length, before := 1.0, d.before(x)
	for reach := 128.0; reach < x+span; reach *= 128 {
		if reach < x {
			length += math.Exp(d.before(x-reach) - before)
		} else {
			length += math.Exp(-before) * max(1-(reach-x)/span, 0)
		}
	}
	return length
}
