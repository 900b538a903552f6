package model

import (
	"math"
	"sort"
)

// stretch is a part of the hub order of the core whose vertices have about the same degree: how many vertices of each
// class it has. Vertices of a class with few tuple ends differ, as Poisson says: so many of them have 2, 3 and so on.
type stretch struct {
	degree  float64
	told    float64 // share of its vertices whose bits ranks tell each other
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
func (s stretch) found(g *Graph, from, to []float64) float64 {
	found := 0.0
	for _, m := range s.classes {
		found += m.vertices * (g.missing(m.class, s.degree, from) - g.missing(m.class, s.degree, to))
	}
	return found / s.vertices()
}

// missing is the probability that a vertex of a class with so many neighbours has none in the frontiers that leave so
// much missed: of d neighbours, each in these frontiers with a probability q, none is with (1-q)^d.
func (g *Graph) missing(class int, degree float64, missed []float64) float64 {
	return math.Pow(max(1-missed[class]/g.classes[class].all, 0), degree)
}

// tellFirst has ranks tell the bits of so many vertices, the first ones.
func tellFirst(order []stretch, vertices float64) {
	for i := range order {
		s := &order[i]
		s.told = min(vertices/s.vertices(), 1)
		vertices = max(vertices-s.vertices(), 0)
	}
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
		order = append(order, stretch{float64(degree), 1, classes})
	}
	sort.Slice(order, func(i, j int) bool { return order[i].degree > order[j].degree })
	return order
}

// longestCore is the number of core vertices of the rank that has most: the highest of so many draws of a binomial.
func (g *Graph) longestCore(ranks float64) float64 {
	mean := g.Core / ranks
	if ranks == 1 {
		return mean
	}
	return mean + math.Sqrt(mean*(1-g.Core/g.Labels))*highest(ranks)
}

// highest is by how many standard deviations the highest of so many draws is expected to be above the mean (Gumbel's
// approximation).
func highest(draws float64) float64 {
	a := math.Sqrt(2 * math.Log(draws))
	return max(a-(math.Log(math.Log(draws))+math.Log(4*math.Pi))/(2*a)+0.5772/a, 0.56)
}

// run is a part of a rank's hub ids in which each is new with the same probability.
type run struct{ ids, chance float64 }

// gapBytes is the length of a message of gaps as varints (bfs/gather.go): a new bit takes one byte, and one more for
// each of 128, 128^2 ... that the gap before it reaches. The first gap begins with the first bit.
func gapBytes(runs []run) float64 { return gapBytesIn(runs, 1, 0) }

// gapBytesIn is the same of as many parts one behind the other, each of which has these runs. They begin anywhere in a
// span, and the first gap at its beginning.
func gapBytesIn(runs []run, parts, span float64) (bytes float64) {
	const pieces, apart = 8, 4 // parts beyond the first few are alike
	d := densityOf(runs)
	for i, r := range runs {
		for piece := range pieces {
			if r.chance == 0 {
				break
			}
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

// density is where new bits stand in a part that repeats: at the end of each run, hub ids and -ln of the probability
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

// before is -ln of the probability of no new bit before a place.
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

// lengthAt is the mean length of the gap before a place.
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
