// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/lists"
)

// Section "Validation", shortest paths: a valid result is accepted and counted; each fault is found and reported as the
// rule that it breaks, also with another unit of weights: a power of two, so that all sums are rounded alike.
func TestPathsRules(t *testing.T) {
	for _, c := range enginetest.PathCases {
		for _, unit := range []float32{1, 4} {
			times := func(x float32) float32 {
				if x == unreachedDistance {
					return x
				}
				return unit * x
			}
			found := enginetest.Paths(t, c.Changes)
			w := trial{n: enginetest.PathVertices, edges: enginetest.PathTuples.Edges, parents: found.Parents,
				weights: lists.Of(enginetest.PathTuples.Weights, times), distances: lists.Of(found.Distances, times)}
			for _, s := range settings(w.n) {
				v := expect.Value(w.paths(s))(t)
				expect.Error(t, v.Fault, c.Rule, c.Name, "weights times", unit, s)
				expect.That(t, v.Fault == nil || !strings.Contains(v.Fault.Error(), "kernel 2"), "%v of kernel 3", v.Fault)
				expect.That(t, c.Rule != "" || v == Verdict{Edges: 6, EdgesWithLoops: 7, Reached: 5, Levels: 5}, "%+v", v)
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
