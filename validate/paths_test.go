// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/partition"
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

// A rank without tuples takes part in the validation of shortest paths.
func TestPathsOfOneRanksTuples(t *testing.T) {
	layout := partition.NewCyclic(graph.Global(weighted.n), 2)
	expect.NoError(t, comm.Loopback(2, func(tr comm.Transport) error {
		var tuples graph.HostWeightedTuples
		if tr.Rank() == 1 {
			tuples = graph.HostWeightedTuples{HostTuples: weighted.edges, Weights: weighted.weights}
		}
		v, err := New(tr, layout, tuples, 1)
		if err != nil {
			return err
		}
		parents := ownPart(layout, tr.Rank(), weighted.parents)
		verdict, err := v.Paths(0, parents, ownPart(layout, tr.Rank(), weighted.distances))
		return errors.Join(err, verdict.Fault)
	}))
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
						if v.Fault != nil || v.Edges != 6 || v.EdgesWithLoops != 7 || v.Reached != 5 || v.Levels != 5 {
							t.Errorf("verdict %+v, want 6 edges, 7 with self-loops, 5 vertices and 5 levels", v)
						}
					} else if !errors.Is(v.Fault, c.want) || strings.Contains(v.Fault.Error(), "kernel 2") {
						t.Errorf("fault %v, want %v, of kernel 3", v.Fault, c.want)
					}
				})
			}
		}
	}
}
