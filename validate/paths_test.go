// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// weighted is a graph with weights and its shortest paths from vertex 0. Vertices 5 and 6 are another component, 7 is
// isolated.
//
//	0 -.25- 1 -.5- 2   0 -1- 2   2 -0- 3   3 -1e-9- 4   4 -0.1- 4   5 -.5- 6   2 -.625- 1
var weighted = trial{
	n: 8,
	edges: []graph.Edge{graph.NewEdge(0, 1), graph.NewEdge(1, 2), graph.NewEdge(0, 2), graph.NewEdge(2, 3),
		graph.NewEdge(3, 4), graph.NewEdge(4, 4), graph.NewEdge(5, 6), graph.NewEdge(2, 1)},
	weights:   []float32{0.25, 0.5, 1, 0, 1e-9, 0.1, 0.5, 0.625},
	parents:   []graph.Global{0, 0, 1, 2, 3, -1, -1, -1},
	distances: []float32{0, 0.25, 0.75, 0.75, 0.75, -1, -1, -1},
}

// changed returns a copy of the trial with another result, and then with another unit of weights: a power of two, so
// that all sums are rounded alike.
func (w trial) changed(change func(parents []graph.Global, distances []float32), unit float32) trial {
	w.weights, w.parents, w.distances = slices.Clone(w.weights), slices.Clone(w.parents), slices.Clone(w.distances)
	change(w.parents, w.distances)
	for i := range w.weights {
		w.weights[i] *= unit
	}
	for v, d := range w.distances {
		if d != unreachedDistance {
			w.distances[v] *= unit
		}
	}
	return w
}

// Section "Validation", shortest paths: a valid result is accepted and counted; each fault is found and reported as the
// rule that it breaks, also if weights are 1 and more.
func TestPathsRules(t *testing.T) {
	infinite, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name   string
		change func(parents []graph.Global, distances []float32)
		want   error
	}{
		{"valid", func([]graph.Global, []float32) {}, nil},
		{"parent out of range", func(p []graph.Global, _ []float32) { p[3] = 99 }, ErrRange},
		{"root has another parent", func(p []graph.Global, _ []float32) { p[0] = 1 }, ErrRoot},
		{"root has a distance", func(_ []graph.Global, d []float32) { d[0] = 0.5 }, ErrDistance},
		{"parent was not reached", func(p []graph.Global, _ []float32) { p[3] = 5 }, ErrOrphan},
		{"cycle of a weight that vanishes, and too short", func(p []graph.Global, d []float32) {
			p[3], p[4], d[3], d[4] = 4, 3, 0.5, 0.5
		}, ErrCycle},
		{"cycle of weight 0 with the right distances", func(p []graph.Global, _ []float32) { p[2], p[3] = 3, 2 }, ErrCycle},
		{"reached without a distance", func(_ []graph.Global, d []float32) { d[4] = -1 }, ErrDistance},
		{"distance without a parent", func(_ []graph.Global, d []float32) { d[5] = 1 }, ErrDistance},
		{"infinite distance", func(_ []graph.Global, d []float32) { d[4] = infinite }, ErrDistance},
		{"not a number", func(_ []graph.Global, d []float32) { d[4] = nan }, ErrDistance},
		{"another component claimed by a cycle", func(p []graph.Global, d []float32) {
			p[5], p[6], d[5], d[6] = 6, 5, 1e30, 1e30
		}, ErrCycle},
		{"vertex left out", func(p []graph.Global, d []float32) { p[4], d[4] = -1, -1 }, ErrSpan},
		{"only the root reached", func(p []graph.Global, d []float32) {
			for v := 1; v < 5; v++ {
				p[v], d[v] = -1, -1
			}
		}, ErrSpan},
		{"longer path", func(p []graph.Global, d []float32) { p[2], d[2], d[3], d[4] = 0, 1, 1, 1 }, ErrShorter},
		{"one unit in the last place too long", func(_ []graph.Global, d []float32) {
			d[4] = math.Nextafter32(d[4], 2)
		}, ErrShorter},
		{"one unit in the last place too short", func(_ []graph.Global, d []float32) {
			d[1] = math.Nextafter32(d[1], 0)
		}, ErrPathEdge},
		{"parent without an edge", func(p []graph.Global, _ []float32) { p[4] = 1 }, ErrTreeEdge},
		{"the heavier of two edges", func(_ []graph.Global, d []float32) {
			d[2], d[3], d[4] = 0.875, 0.875, 0.875
		}, ErrShorter},
	} {
		for _, unit := range []float32{1, 4} {
			trial := weighted.changed(c.change, unit)
			for _, s := range settings(trial.n) {
				t.Run(fmt.Sprintf("%s, weights times %g, %v", c.name, unit, s), func(t *testing.T) {
					v := expect.Value(trial.paths(s))(t)
					if c.want == nil {
						expect.Equal(t, v, Verdict{Edges: 6, EdgesWithLoops: 7, Reached: 5, Levels: 5})
					} else {
						expect.That(t, errors.Is(v.Fault, c.want) && !strings.Contains(v.Fault.Error(), "kernel 2"),
							"fault %v, want %v, of kernel 3", v.Fault, c.want)
					}
				})
			}
		}
	}
}

// Arcs from 0 to 3 and back over other vertices: a directed graph with a source 4, a sink 5, and a vertex 6 that only a
// vertex outside the tree leads to.
func TestRulesOfDirectedGraphs(t *testing.T) {
	const none = graph.NoParent
	tr := trial{n: 8, edges: tuples("0-1 1-2 2-3 3-0 2-0 2-0 1-1 4-0 4-3 4-6 3-5 4-4"), directed: true,
		parents: []graph.Global{0, 0, 1, 2, none, 3, none, none}}
	expect.Equal(t, tr.verdict(t), Verdict{Edges: 7, EdgesWithLoops: 8, Reached: 5, Levels: 5})
	tr.checkBroken(t, []broken{
		{"against the arc", change{2: 3, 3: 0}, ErrArcParent, 2, 3, "vertex 2 has the parent 3, and no arc leads from it"},
		{"target left out", change{5: none}, ErrArcSpan, 3, 5, "the source was reached and the target was not"},
		{"source claimed", change{4: 0}, ErrArcLevels, 4, 3, "arc <4, 3> leads from level 1 to level 3"},
		{"source below a sink", change{4: 5, 6: 4}, ErrArcParent, 4, 5, "no arc leads from it"},
	})
	long, deep := path(rising(5)).joined("0-4"), path(rising(23)).joined("20-22")
	long.directed, deep.directed = true, true
	deep.mustBreak(t, broken{"one level too deep", nil, ErrArcLevels, 20, 22, "leads from level 20 to level 22"})
	long.mustBreak(t, broken{"longer way", nil, ErrArcLevels, 0, 4, "arc <0, 4> leads from level 0 to level 4"})
}

// isRight reports whether a result with a tree obeys the rules as written, and counts arcs from reached vertices.
func (w trial) isRight() (right bool, edges, withLoops int64) {
	from := map[graph.Global]bool{w.root: true}
	for i, e := range w.edges {
		u, v := e.U(), e.V()
		if w.distances[u] < 0 {
			continue
		}
		withLoops++
		if u != v {
			edges++
		}
		d := w.distances[u] + w.weights[i]
		if w.distances[v] < 0 || d < w.distances[v] {
			return false, 0, 0
		}
		if w.parents[v] == u && d == w.distances[v] && u != v {
			from[v] = true
		}
	}
	for v, p := range w.parents {
		if p != graph.NoParent && !from[graph.Global(v)] {
			return false, 0, 0
		}
	}
	return true, edges, withLoops
}

// Correct shortest paths are accepted and counted; a changed distance or parent only if the rules are obeyed.
func TestPathsInDirectedGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	reported := map[error]int{}
	graphs := 150
	if testing.Short() { // under the race detector
		graphs = 40
	}
	for range graphs {
		w := randomDirected(rng)
		w.weights = []float32{}
		for range w.edges {
			w.weights = append(w.weights, []float32{0, 0.25, 0.5, 1, rng.Float32()}[rng.IntN(5)])
		}
		w.distances, w.parents = enginetest.Shortest(w.list(), w.n, w.root)
		s := randomSetting(rng, w.n)
		right, edges, loops := w.isRight()
		v, err := w.paths(s)
		expect.Must(t, err == nil && right && v.Fault == nil && v.Edges == edges && v.EdgesWithLoops == loops,
			"%v: %+v, %v; right: %v with %d and %d arcs\n%+v", s, v, err, right, edges, loops, w)
		for range 12 {
			x := w.mutated(rng)
			right, _, _ := x.isRight()
			v, err := x.paths(s)
			is := func(rule error) bool { return errors.Is(v.Fault, rule) }
			obeys := v.Fault == nil || right && (is(ErrCycle) || is(ErrOrphan) || is(ErrRoot)) // which isRight does not check
			expect.Must(t, err == nil && obeys == right, "%v: %+v, %v; the rules say %v\n%+v", s, v, err, right, x)
			if f, is := v.Fault.(*Fault); is {
				reported[f.Rule]++
			}
		}
	}
	for _, rule := range []error{ErrArcSpan, ErrArcParent, ErrShorter, ErrPathEdge} {
		expect.Equal(t, reported[rule] > 0, true, "a mutation broke", rule)
	}
}

// mutated returns the result with another distance, another parent, or one vertex more or less.
func (w trial) mutated(rng *rand.Rand) trial {
	w.parents, w.distances = slices.Clone(w.parents), slices.Clone(w.distances)
	v := rng.IntN(w.n)
	if graph.Global(v) == w.root {
		return w
	}
	other := graph.Global(rng.IntN(w.n))
	switch reached := w.parents[v] != graph.NoParent; {
	case !reached:
		w.parents[v], w.distances[v] = w.root, rng.Float32()
	case rng.IntN(4) == 0:
		w.parents[v], w.distances[v] = graph.NoParent, -1
	case rng.IntN(3) == 0:
		w.parents[v] = other
	case rng.IntN(2) == 0:
		w.distances[v] = math.Nextafter32(w.distances[v], 2)
	default:
		w.distances[v] = max(0, math.Nextafter32(w.distances[v], -1))
	}
	return w
}
