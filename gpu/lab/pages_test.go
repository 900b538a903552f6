// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/lab/pages"
)

// inPages runs body with the first GPU for each undirected graph, without duplicates.
func inPages(t *testing.T, l pages.Layout, body func(m pages.Follower, g *lab.Graph)) {
	t.Helper()
	for _, g := range labGraphs(t, "kron:scale=14")[:3] {
		m := expect.Value(NewPages(l))(t)
		body(m.(pages.Follower), g)
		expect.NoError(t, m.Close())
	}
}

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
	inPages(t, layout, func(m pages.Follower, g *lab.Graph) {
		plan := pages.Plan{Graphs: lab.GraphsOf(g), Layout: layout, Batch: drawn, Strategies: strategies, Sources: 3, Seed: 1}
		r, err := pages.Measure(context.Background(), plan, m, quiet{t})
		expect.NoError(t, err, g.Name)
		if len(r.Batches) != 5 || len(r.Pages.Rows) < 11 || len(r.Rows.Rows) < 11 {
			t.Errorf("%s: %+v", g.Name, r)
		}
	})
}

// A batch of several runs that needs too many pages changes neither the graph nor its levels.
func TestFullPages(t *testing.T) {
	inPages(t, pages.Layout{PageBytes: 16, Spare: 10}, func(m pages.Follower, g *lab.Graph) {
		expect.NoError(t, errors.Join(m.Load(g), m.Follow(1)))
		before, err := m.Levels()
		expect.NoError(t, err)
		batch := []pages.Update{{Kind: pages.DeleteEdge, U: 0, V: 1}, {Kind: pages.DeleteEdge, U: 1, V: 0},
			{Kind: pages.RemoveVertex, U: 2}}
		for v := range uint32(g.Vertices()) {
			batch = append(batch, pages.Update{Kind: pages.InsertEdge, U: v, V: (v + 77) % uint32(g.Vertices())})
			for w := range uint32(8) {
				batch = append(batch, pages.Update{Kind: pages.InsertEdge, U: v, V: (v*5 + w) % uint32(g.Vertices())})
			}
		}
		if _, err := m.Apply(batch); !errors.Is(err, pages.ErrFull) || m.PagesFree() != 10 {
			t.Fatalf("%s: %v, %d pages free", g.Name, err, m.PagesFree())
		}
		offsets, columns, err := m.Rows()
		for v := range len(offsets) - 1 {
			slices.Sort(columns[offsets[v]:offsets[v+1]])
		}
		after, levelsErr := m.Levels()
		if err != nil || levelsErr != nil || !slices.Equal(columns, g.Columns) || !slices.Equal(after, before) {
			t.Errorf("%s: the graph or its levels have changed; %v, %v", g.Name, err, levelsErr)
		}
	})
}
