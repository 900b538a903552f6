// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"g500/bench"
	"g500/internal/expect"
	"g500/lab"
	"g500/lab/pages"
)

// drawn returns a batch of updates of all kinds. Few are of vertices.
func drawn(g *pages.Graph, number int) (updates []pages.Update) {
	r := pages.Random{Batches: 5, Size: 4000, Deletions: 0.5, Seed: 3}
	source := rand.New(rand.NewPCG(4, uint64(number)))
	for i, u := range r.Draw(g, number) {
		switch v := source.Uint32N(uint32(g.Vertices())); {
		case i%1000 == 500 && number > 1:
			updates = append(updates, pages.Update{Kind: pages.RemoveVertex, U: v})
		case i%1000 == 700:
			updates = append(updates, pages.Update{Kind: pages.AddVertex, U: v})
		case i%50 == 0:
			updates = append(updates, pages.Update{Kind: pages.Query, U: u.U, V: u.V})
		default:
			updates = append(updates, u)
		}
	}
	return updates
}

// Batches, followed levels and searches on pages have the same results as on a CPU. Measure compares them.
func TestPages(t *testing.T) {
	strategies := expect.Value(lab.Choose("toedling-*,merrill-hybrid,enterprise-baseline-thread"))(t)
	layout := pages.Layout{PageBytes: 32, Spare: 40000}
	for _, g := range labGraphs(t, "kron:scale=14")[:3] {
		plan := pages.Plan{Graphs: lab.GraphsOf(g), Layout: layout, Batch: drawn, Strategies: strategies, Sources: 3, Seed: 1}
		m := &pages.GPU{Child: child(), Layout: layout}
		r, err := pages.Measure(context.Background(), plan, m, bench.Silent{})
		expect.NoError(t, errors.Join(err, m.Close()), g.Name)
		if len(r.Batches) != 5 || len(r.Pages.Rows) < 11 || len(r.Rows.Rows) < 11 {
			t.Errorf("%s: %+v", g.Name, r)
		}
	}
}
