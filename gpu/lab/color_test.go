// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/internal/expect"
	"g500/lab"
	"g500/lab/color"
)

// All algorithms with kernels, all optimisations and variants, colour all graphs. Measure validates every colouring.
func TestColoring(t *testing.T) {
	began := time.Now()
	m, err := NewColorer(func() time.Duration { return time.Since(began) })
	expect.NoError(t, err)
	variants := ",data+" + strings.Join(color.Variants, ",data+")
	chosen := expect.Value(color.Choose(strings.Join(color.Names(), ",")+variants, "all"))(t)
	graphs := labGraphs(t, withRepeats)
	delete(graphs, "directed")
	load := func(_ context.Context, name string) (*lab.Graph, error) { return graphs[name], nil }
	all := lab.Graphs{Names: slices.Collect(maps.Keys(graphs)), Load: load}
	plan := color.Plan{Graphs: all, Algorithms: chosen, Runs: 3}
	r := expect.Value(color.Measure(context.Background(), plan, []color.Machine{m}, quiet{t}))(t)
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			expect.Equal(t, row.Fault, "", g.Graph, row.Strategy.Name)
		}
		expect.Equal(t, len(g.Rows)+len(g.LeftOut), 10+len(color.Optimisations)+len(color.Variants), g.Graph, "has",
			len(g.Rows), "rows; left out", g.LeftOut)
	}
	expect.NoError(t, m.Close())
}
