// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"math"
	"slices"
	"testing"

	"g500/internal/expect"
)

func TestDegrees(t *testing.T) {
	l := &list{vertices: 10, chunks: make([]chunk, 1)}
	for v := range uint32(8) {
		l.chunks[0].add(9, v)
	}
	g := expect.Value(build(t.Context(), l, values{"weights": "keep"}, 1))(t)
	d := g.Degrees()
	expect.That(t, math.Abs(d.Gini-slowGini(g)) <= 1e-12 && d.Mean == 1.6 && d.Max == 8 && d.MaxVertex == 9 &&
		slices.Equal(d.Powers, []int64{1, 8, 0, 0, 1}) && math.Abs(d.Deviation-math.Sqrt((2.56+8*0.36+6.4*6.4)/10)) <= 1e-12,
		"star: %+v", d)
	g = made(t, "grid2d:5x4")
	d = g.Degrees()
	expect.That(t, d.Max == 4 && d.MaxVertex == 6 && // the first of six
		slices.Equal(d.Powers, []int64{0, 0, 14, 6}) && math.Abs(d.Gini-slowGini(g)) <= 1e-12, "grid: %+v", d)
	d = made(t, "uniform:vertices=5,degree=0").Degrees()
	expect.That(t, d.Gini == 0 && slices.Equal(d.Powers, []int64{5}), "no edges: %+v", d)
}

// slowGini returns the mean difference of the degrees of two vertices over twice the mean degree.
func slowGini(g *Graph) float64 {
	difference, sum := 0.0, 0.0
	for u := range g.Vertices() {
		sum += float64(g.Degree(u))
		for v := range g.Vertices() {
			difference += math.Abs(float64(g.Degree(u) - g.Degree(v)))
		}
	}
	return difference / (2 * float64(g.Vertices()) * sum)
}

func TestComponentsAndSweeps(t *testing.T) {
	for _, spec := range []string{
		"uniform:vertices=300,degree=1.5", "geometric:vertices=200,degree=3", "road:9x9,keep=0.5",
		"grid3d:4x5x2", "kron:scale=7", "file:testdata/cases/m-isolated.graph", "file:testdata/cases/nr-space.edges",
		"file:testdata/cases/snap-semicolon-name.ungraph.txt", "file:testdata/cases/only-loop.txt",
		"file:testdata/cases/c.mtx", "file:testdata/cases/mtx-pattern-general.mtx",
	} {
		g := made(t, spec)
		gini := g.Degrees().Gini
		expect.That(t, g.Edges() == 0 || math.Abs(gini-slowGini(g)) <= 1e-12, "%s: %v, want %v", spec, gini, slowGini(g))
		count, largest, isolated := 0, 0, 0
		from := slowDistances(g)
		for root, distance := range from {
			far, reached, first := slices.Max(distance), 0, true // whether the root is the first of its component
			for v, d := range distance {
				if d >= 0 {
					reached++
					first = first && v >= root
				}
			}
			if first {
				count++
			}
			largest = max(largest, reached)
			if reached == 1 {
				isolated++
			}
			s := g.Sweep(root)
			expect.Must(t, s.Eccentricity == far && s.Reached == reached && distance[s.Farthest] == far,
				"%s: root %d: %+v, want eccentricity %d of %d vertices", spec, root, s, far, reached)
			want := max(far, slices.Max(from[s.Farthest]))
			expect.Equal(t, g.DiameterAtLeast(s), want, spec, "root", root, "diameter of at least")
		}
		c, l, i := g.Components()
		expect.Equal(t, []int{c, l, i}, []int{count, largest, isolated}, spec, "components, largest, isolated")
	}
	const sparse = "rmat:scale=7,edgefactor=1,a=0.3,b=0.2,c=0.2"
	directed := made(t, sparse+",symmetric=no")
	count, largest, isolated := made(t, sparse).Components()
	c, l, i := directed.Components()
	expect.Equal(t, []int{c, l, i}, []int{count, largest, isolated}, "directed: components, largest, isolated")
	expect.That(t, c >= 3, "%d components", c)
	expect.Equal(t, made(t, "grid2d:20x30").DiameterAtLeast(made(t, "grid2d:20x30").Sweep(315)), 48,
		"a grid of 20 x 30 has a diameter of at least")
}

// checkRepeats compares the repeats of a graph, with each of them kept or dropped, with a slow count. If the input has
// each edge in both directions, the second one is no duplicate in an undirected graph that drops duplicates.
func checkRepeats(t *testing.T, spec string) (undirected Repeats) {
	t.Helper()
	for _, direction := range []string{"", ",symmetric=no"} {
		kept := made(t, spec+direction+",loops=keep,duplicates=keep")
		want, twice := slowRepeats(kept)
		expect.Equal(t, kept.Repeats, want, spec, direction)
		if twice && direction == "" {
			want.Duplicates = 0
		}
		for _, keep := range []string{"", ",loops=keep"} {
			expect.Equal(t, made(t, spec+direction+keep).Repeats, want, spec, direction, keep)
		}
	}
	return made(t, spec).Repeats
}

// slowRepeats counts the repeats of a graph, and reports whether it has two copies of each edge that is no self-loop.
func slowRepeats(g *Graph) (r Repeats, twice bool) {
	copies := map[arc]int64{}
	_ = g.eachEdge(func(u, v int, _ int64) error {
		copies[arc{u, v}]++
		return nil
	})
	twice = true
	for a, n := range copies {
		if a.from == a.to {
			r.Loops += n
			continue
		}
		r.Duplicates += n - 1
		twice = twice && n == 2
	}
	return r, twice
}
