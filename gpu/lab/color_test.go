// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

import (
	"context"
	"strings"
	"testing"

	"g500/bench"
	"g500/internal/expect"
	"g500/lab"
	"g500/lab/color"
)

// All algorithms with kernels, all optimisations and variants, colour all graphs. Measure validates every colouring.
func TestColoring(t *testing.T) {
	m := color.GPU{Child: child()}
	variants := ",data+" + strings.Join(color.Variants, ",data+")
	chosen := expect.Value(color.Choose(strings.Join(color.Names(), ",")+variants, "all"))(t)
	plan := color.Plan{Graphs: lab.GraphsOf(labGraphs(t, withRepeats)[:3]...), Algorithms: chosen, Runs: 3}
	r := expect.Value(color.Measure(context.Background(), plan, []color.Machine{m}, bench.Silent{}))(t)
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			expect.Equal(t, row.Fault, "", g.Graph, row.Strategy.Name)
		}
		expect.Equal(t, len(g.Rows)+len(g.LeftOut), 10+len(color.Optimisations)+len(color.Variants), g.Graph, "has",
			len(g.Rows), "rows; left out", g.LeftOut)
	}
	expect.NoError(t, m.Close())
}
