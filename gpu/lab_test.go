//go:build cuda && cgo

package gpu

import (
	"context"
	"testing"

	"g500/graph"
	"g500/lab"
)

type quiet struct{ t *testing.T }

func (quiet) Step(string, int64) {}
func (quiet) Advance(int64)      {}
func (q quiet) Note(text string) { q.t.Log(text) }

// labGraphs are a Kronecker graph with duplicates, a directed one, a grid and a star.
func labGraphs() map[string]*lab.Graph {
	var tuples, grid, star [][2]uint32
	edges := make([]graph.Edge, official(14).Edges())
	official(14).Fill(0, edges)
	for _, e := range edges {
		tuples = append(tuples, [2]uint32{uint32(e.U()), uint32(e.V())})
	}
	for v := range uint32(300 * 300) {
		if v%300 < 299 {
			grid = append(grid, [2]uint32{v, v + 1})
		}
		if v < 299*300 {
			grid = append(grid, [2]uint32{v, v + 300})
		}
	}
	for v := range uint32(200_000) {
		star = append(star, [2]uint32{0, v})
	}
	directed := lab.Symmetric("directed", 1<<14, tuples)
	directed.Symmetric = false // so that what needs both directions is left out
	return map[string]*lab.Graph{
		"kron": lab.Symmetric("kron", 1<<14, tuples), "directed": directed,
		"grid": lab.Symmetric("grid", 300*300, grid), "star": lab.Symmetric("star", 200_000, star),
	}
}

// Every strategy of the table finds right distances and parents.
func TestLabStrategies(t *testing.T) {
	m, err := NewLab()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	graphs := labGraphs()
	for _, output := range []string{"distance", "parent"} {
		var chosen []lab.Strategy
		for _, s := range lab.Table() {
			s.Settings = append(s.Settings[:len(s.Settings):len(s.Settings)],
				lab.Setting{Key: "edge_room", Value: "1000"}, lab.Setting{Key: "vertex_room", Value: "1000"})
			if s.Of("engine") == "" {
				chosen = append(chosen, s)
			}
		}
		p := lab.Plan{Graphs: []string{"kron", "directed", "grid", "star"}, Strategies: chosen, Output: output,
			Sources: 8, Seed: 3, Validate: true,
			Load: func(_ context.Context, name string) (*lab.Graph, error) { return graphs[name], nil }}
		r, err := lab.Measure(context.Background(), p, []lab.Machine{m}, quiet{t})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range r.Graphs {
			if g.Graph != "directed" && len(g.LeftOut) > 0 {
				t.Errorf("%s: left out: %v", g.Graph, g.LeftOut)
			}
			for _, row := range g.Rows {
				if row.Fault != "" {
					t.Errorf("%s, %s, %s: %s", g.Graph, row.Strategy.Name, output, row.Fault)
				}
			}
		}
	}
}

// A setting that no strategy has is an error, which names it.
func TestLabRefusesSettings(t *testing.T) {
	m, err := NewLab()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Load(labGraphs()["grid"]); err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"merrill-hybrid:cull=some", "merrill-hybrid:pigeon=1", "busato-vertex:group=3"} {
		chosen, err := lab.Choose(list)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Prepare(chosen[0]); err == nil {
			t.Errorf("%s is taken", list)
		}
	}
}
