//go:build cuda && cgo

package lab

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/lab"
	"g500/lab/color"
)

// All algorithms with kernels, all optimisations and variants, colour all graphs. Measure validates every colouring.
func TestColoring(t *testing.T) {
	began := time.Now()
	m, err := NewColorer(func() time.Duration { return time.Since(began) })
	if err != nil {
		t.Fatal(err)
	}
	variants := ",data+" + strings.Join(color.Variants, ",data+")
	chosen, err := color.Choose(strings.Join(color.Names(), ",")+variants, "all")
	if err != nil {
		t.Fatal(err)
	}
	graphs := labGraphs(t, withRepeats)
	delete(graphs, "directed")
	load := func(_ context.Context, name string) (*lab.Graph, error) { return graphs[name], nil }
	all := lab.Graphs{Names: slices.Collect(maps.Keys(graphs)), Load: load}
	plan := color.Plan{Graphs: all, Algorithms: chosen, Runs: 3}
	r, err := color.Measure(context.Background(), plan, []color.Machine{m}, quiet{t})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			if row.Fault != "" {
				t.Errorf("%s, %s: %s", g.Graph, row.Strategy.Name, row.Fault)
			}
		}
		if len(g.Rows)+len(g.LeftOut) != 10+len(color.Optimisations)+len(color.Variants) {
			t.Errorf("%s has %d rows; left out: %v", g.Graph, len(g.Rows), g.LeftOut)
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
