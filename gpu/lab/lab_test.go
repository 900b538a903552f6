//go:build cuda && cgo

package lab

import (
	"context"
	"fmt"
	"testing"
	"time"

	"g500/comm"
	"g500/gpu"
	"g500/gpu/gputest"
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
	edges := make([]graph.Edge, gputest.Official(14).Edges())
	gputest.Official(14).Fill(0, edges)
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

// inLab runs body with the machines of the first GPU.
func inLab(t *testing.T, body func(machines []lab.Machine)) {
	t.Helper()
	err := comm.Loopback(1, func(tr comm.Transport) error {
		began := time.Now()
		machines, err := NewLab(tr, func() time.Duration { return time.Since(began) })
		if err != nil {
			return err
		}
		body(machines)
		return machines[0].Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every strategy of the table, and this project's engine, find right distances and parents.
func TestLabStrategies(t *testing.T) {
	inLab(t, func(machines []lab.Machine) { testStrategies(t, machines) })
}

func testStrategies(t *testing.T, machines []lab.Machine) {
	graphs := labGraphs()
	for _, output := range []string{"distance", "parent"} {
		var chosen []lab.Strategy
		for _, s := range lab.Table() {
			s.Settings = append(s.Settings[:len(s.Settings):len(s.Settings)],
				lab.Setting{Key: "edge_room", Value: "1000"}, lab.Setting{Key: "vertex_room", Value: "1000"})
			if e := s.Of("engine"); e == "" || e == gpu.Name {
				chosen = append(chosen, s)
			}
		}
		p := lab.Plan{Graphs: []string{"kron", "directed", "grid", "star"}, Strategies: chosen, Output: output,
			Sources: 8, Seed: 3, Validate: true,
			Load: func(_ context.Context, name string) (*lab.Graph, error) { return graphs[name], nil }}
		r, err := lab.Measure(context.Background(), p, machines, quiet{t})
		if err != nil {
			t.Error(err)
			return
		}
		for _, g := range r.Graphs {
			if len(g.LeftOut) > 0 != (g.Graph == "directed") {
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

// Shares of a graph find right distances and parents, on as many GPUs as there are; what they tell adds up.
func TestLabShares(t *testing.T) {
	inLab(t, func(machines []lab.Machine) {
		for count := range 4 {
			testShares(t, machines, count+1)
		}
	})
}

func testShares(t *testing.T, machines []lab.Machine, count int) {
	name := fmt.Sprintf("merrill-partitioned:gpus=%d:edge_room=1000:vertex_room=1000", count)
	chosen, err := lab.Choose(name + "," + name + ":output=parent")
	if err != nil {
		t.Error(err)
		return
	}
	graphs := labGraphs()
	p := lab.Plan{Graphs: []string{"kron", "directed", "grid", "star"}, Strategies: chosen, Sources: 4, Seed: 3,
		Validate: true,
		Load:     func(_ context.Context, name string) (*lab.Graph, error) { return graphs[name], nil }}
	r, err := lab.Measure(context.Background(), p, machines, quiet{t})
	if err != nil {
		t.Error(err)
		return
	}
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			var edges, pulled int64
			for _, s := range row.Shares {
				edges, pulled = edges+s.Edges, pulled+s.Pulled
			}
			if row.Fault != "" || row.Full || len(row.Shares) != count || edges != row.Searches[0].Inspected ||
				(pulled > 0) != (count > 1) {
				t.Errorf("%s, %s: %q, %+v", g.Graph, row.Strategy.Name, row.Fault, row.Shares)
			}
		}
	}
}

// A setting that no strategy has is an error, which names it.
func TestLabRefusesSettings(t *testing.T) {
	inLab(t, func(machines []lab.Machine) { testRefusals(t, machines[0]) })
}

func testRefusals(t *testing.T, m lab.Machine) {
	if err := m.Load(labGraphs()["grid"]); err != nil {
		t.Error(err)
		return
	}
	for _, list := range []string{"merrill-hybrid:cull=some", "merrill-hybrid:pigeon=1", "busato-vertex:group=3",
		"merrill-partitioned:gpus=9", "merrill-two-phase:gpus=2"} {
		chosen, err := lab.Choose(list)
		if err != nil {
			t.Error(err)
			return
		}
		if err := m.Prepare(chosen[0]); err == nil {
			t.Errorf("%s is taken", list)
		}
	}
}
