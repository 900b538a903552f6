// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"g500/bench"
	"g500/comm"
	"g500/graph/formats"
	"g500/internal/expect"
	"g500/lab"
	"g500/lab/color"
	"g500/lab/pages"
	"g500/settings"
)

// labGraphs returns a star, a Kronecker graph of a specification, a grid, and the Kronecker graph marked as directed.
func labGraphs(t *testing.T, kron string) []*lab.Graph {
	t.Helper()
	star := make([][2]uint32, 200_000)
	for v := range star {
		star[v][1] = uint32(v)
	}
	graphs := []*lab.Graph{lab.Symmetric("star", len(star), star)}
	for _, of := range [][2]string{{"kron", kron}, {"grid", "grid2d:300x300"}, {"directed", kron}} {
		spec := expect.Value(formats.Parse(of[1]))(t)
		g := expect.Value(spec.Make(context.Background(), 4, 1<<30))(t)
		graphs = append(graphs, &lab.Graph{Name: of[0], Offsets: g.Offsets, Columns: g.Neighbours,
			Symmetric: of[0] != "directed"})
	}
	return graphs
}

const childProgram = "../../bin/g500-lab-child-cuda"

// withRepeats is a Kronecker graph with duplicates and self-loops.
const withRepeats = "kron:scale=14,duplicates=keep,loops=keep"

// measured searches all graphs with strategies on the first GPU, and reports wrong results as errors.
func measured(t *testing.T, output string, strategies []lab.Strategy) *lab.Report {
	t.Helper()
	p := lab.Plan{Graphs: lab.GraphsOf(labGraphs(t, withRepeats)...), Strategies: strategies, Output: output, Runs: 4,
		Seed: 3, Validate: true}
	var r *lab.Report
	expect.NoError(t, comm.Loopback(1, func(tr comm.Transport) error {
		began := time.Now()
		engine, err := NewEngine(tr, func() time.Duration { return time.Since(began) })
		if err != nil {
			return err
		}
		machines := []lab.Machine{child(), engine}
		r, err = lab.Measure(context.Background(), p, machines, bench.Watchers{})
		return errors.Join(err, machines[0].Close(), engine.Close())
	}))
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			expect.That(t, row.Fault == "" && !row.Full,
				"%s, %s, %s: full is %t; %s", g.Graph, row.Strategy.Name, output, row.Full, row.Fault)
		}
	}
	return r
}

// Every strategy of the table, and the engine of this project, find right distances and parents.
func TestLabStrategies(t *testing.T) {
	for _, output := range []string{"distance", "parent"} {
		var chosen []lab.Strategy
		for _, s := range lab.Table() {
			s.Settings = append(s.Settings[:len(s.Settings):len(s.Settings)],
				lab.Setting{Key: "edge_capacity", Value: "1000"}, lab.Setting{Key: "vertex_capacity", Value: "1000"})
			if e := s.Of("engine"); e == "" || e == settings.GPU {
				chosen = append(chosen, s)
			}
		}
		for _, g := range measured(t, output, chosen).Graphs {
			expect.Equal(t, len(g.LeftOut) > 0, g.Graph == "directed", g.Graph, "left out", g.LeftOut)
		}
	}
}

// A level launches at most 32,768 kernels for rows; warps read the other rows.
func TestLabChildren(t *testing.T) {
	chosen := expect.Value(lab.Choose("toedling-children:child_from=1,toedling-children-tail:child_from=1"))(t)
	for _, g := range measured(t, "", chosen).Graphs {
		for _, row := range g.Rows {
			for _, s := range row.Searches {
				if most := 32768 * int64(s.Levels+1); s.Launches > most || g.Graph == "star" && s.Launches < 32768 {
					t.Errorf("%s, %s: %d launches in %d levels", g.Graph, row.Strategy.Name, s.Launches, s.Levels)
				}
			}
		}
	}
}

// Shares of a graph find right distances and parents, on all GPUs that exist; the sums of their counts are right.
func TestLabShares(t *testing.T) {
	for count := 1; count <= 4; count++ {
		name := fmt.Sprintf("merrill-partitioned:gpus=%d:edge_capacity=1000:vertex_capacity=1000", count)
		list := name + "," + name + ":output=parent"
		if count > 1 { // with one it is the search on one GPU
			list += fmt.Sprintf(",enterprise-gpus:gpus=%d,enterprise-gpus:gpus=%d:output=parent", count, count)
		}
		chosen := expect.Value(lab.Choose(list))(t)
		for _, g := range measured(t, "", chosen).Graphs {
			for _, row := range g.Rows {
				var edges, pulled int64
				for _, s := range row.Shares {
					edges, pulled = edges+s.Edges, pulled+s.Pulled
				}
				expect.That(t, len(row.Shares) == count && edges == row.Searches[0].Inspected && (pulled > 0) == (count > 1),
					"%s, %s: %+v", g.Graph, row.Strategy.Name, row.Shares)
			}
		}
	}
}

// All algorithms with kernels, all optimisations and variants, colour all graphs. Measure validates every colouring.
func TestColoring(t *testing.T) {
	m := child()
	variants := ",data+" + strings.Join(color.Variants, ",data+")
	chosen := expect.Value(color.Choose(strings.Join(color.Names(), ",")+variants, "all"))(t)
	plan := lab.Plan{Graphs: lab.GraphsOf(labGraphs(t, withRepeats)[:3]...), Strategies: chosen, Runs: 3}
	r := expect.Value(color.Measure(context.Background(), plan, []lab.Machine{m}, bench.Watchers{}))(t)
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			expect.Equal(t, row.Fault, "", g.Graph, row.Strategy.Name)
		}
		expect.Equal(t, len(g.Rows)+len(g.LeftOut), 10+len(color.Optimisations)+len(color.Variants), g.Graph, "has",
			len(g.Rows), "rows; left out", g.LeftOut)
	}
	expect.NoError(t, m.Close())
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
	for _, g := range labGraphs(t, "kron:scale=14")[:3] {
		plan := pages.Plan{Graphs: lab.GraphsOf(g), Layout: layout, Batch: drawn, Strategies: strategies, Sources: 3,
			Seed: 1, Clock: func() time.Duration { return 0 }}
		m := child()
		r, err := pages.Measure(context.Background(), plan, m, bench.Watchers{})
		expect.NoError(t, errors.Join(err, m.Close()), g.Name)
		expect.That(t, len(r.Batches) == 5 && len(r.Pages.Rows) >= 11 && len(r.Rows.Rows) >= 11, "%s: %+v", g.Name, r)
	}
}
