// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
)

// square is a ring of four vertices with a tail, a separate pair, an isolated vertex, a duplicate and a self-loop.
func square() *Graph {
	return Symmetric("square", 8, [][2]uint32{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}, {3, 4}, {2, 2}, {5, 6}})
}

// Each strategy has a section, and its difference from its paper; all four papers have strategies.
func TestTableIsComplete(t *testing.T) {
	authors := map[string]bool{}
	for _, s := range Table() {
		expect.That(t, s.Section != "" && (s.Differs == "") == (s.Paper == "this project"),
			"%+v: name a section, and say how it differs from its paper, or %q", s, AsPublished)
		first, _, _ := strings.Cut(s.Paper, ",")
		authors[first] = true
	}
	expect.That(t, authors["Merrill"] && authors["Liu"] && authors["Busato"] && authors["Tödling"],
		"only %v have strategies", authors)
}

func TestChoose(t *testing.T) {
	for list, want := range map[string]string{
		"cpu*":                                   "cpu cpu-topdown",
		"enterprise-hc, busato-scan":             "enterprise-hc busato-scan",
		"merrill-hybrid:cull=none:output=parent": "merrill-hybrid:cull=none:output=parent",
	} {
		chosen, err := Choose(list)
		got := strings.Join(Strategies(chosen).Names(), " ")
		expect.That(t, got == want && err == nil, "%s: %q, %v", list, got, err)
	}
	changed, err := Choose("merrill-hybrid:cull=none")
	expect.That(t, err == nil && changed[0].Of("cull") == "none" && changed[0].Of("gather") == "scan",
		"%+v, %v", changed, err)
	plain, err := Choose("merrill-hybrid")
	expect.That(t, err == nil && plain[0].Of("cull") == "both", "the table has changed: %+v, %v", plain, err)
	for _, list := range []string{"merril", "", "merrill-hybrid:cull", "cpu:engine=topdown", "x*"} {
		expect.That(t, expect.Err(Choose(list)) != nil, "%q is accepted", list)
	}
	expect.Equal(t, SplitSpecs("kron:scale=3,edgefactor=8,grid2d:4x4"),
		[]string{"kron:scale=3,edgefactor=8", "grid2d:4x4"})
}

func TestSourcesHaveEdges(t *testing.T) {
	g := square()
	got := g.Sources(100, 2)
	slices.Sort(got)
	expect.Equal(t, got, []uint32{0, 1, 2, 3, 4, 5, 6}) // 7 is isolated
	a, b := g.Sources(3, 1), g.Sources(3, 1)
	expect.That(t, slices.Equal(a, b) && len(a) == 3, "%v and %v", a, b)
	alone := Symmetric("loops", 2, [][2]uint32{{0, 0}, {1, 1}}).Sources(2, 1)
	expect.That(t, len(alone) == 0, "%v", alone)
}

func TestValidationFindsFaults(t *testing.T) {
	g, n := square(), None
	truths, _ := newReference(g, g.count(isKept)).search(t.Context(), []uint32{0})
	tr := truths[0]
	expect.That(t, tr.reached == 5 && tr.edges == 13 && tr.loops == 1 && tr.kept == 10 && len(tr.frontiers) == 3,
		"%+v", tr)
	for _, c := range []struct {
		name string
		r    Result
		want string // "" for no fault
	}{
		{"distances", Result{Distances: []uint32{0, 1, 2, 1, 2, n, n, n}}, ""},
		{"parents", Result{Parents: []uint32{0, 0, 1, 0, 3, n, n, n}}, ""},
		{"the other parent", Result{Parents: []uint32{0, 0, 3, 0, 3, n, n, n}}, ""},
		{"too large", Result{Distances: []uint32{0, 1, 3, 1, 2, n, n, n}}, "vertex 2 is at distance 2, not 3"},
		{"not reached", Result{Distances: []uint32{0, 1, 2, 1, n, n, n, n}}, "vertex 4 is at distance 2, not infinite"},
		{"reached by mistake", Result{Distances: []uint32{0, 1, 2, 1, 2, n, 1, n}}, "vertex 6 is at distance infinite"},
		{"the source has a parent", Result{Parents: []uint32{1, 0, 1, 0, 3, n, n, n}}, "the parent of source 0"},
		{"no edge", Result{Parents: []uint32{0, 0, 0, 0, 3, n, n, n}}, "vertex 2 has parent 0"},
		{"a parent that is no vertex", Result{Parents: []uint32{0, 0, 1, 0, 99, n, n, n}}, "vertex 4 has parent 99"},
		{"a longer path", Result{Parents: []uint32{0, 0, 1, 2, 3, n, n, n}}, "vertex 3 is at distance 1, not 3"},
		{"a cycle", Result{Parents: []uint32{0, 0, 3, 2, 3, n, n, n}}, "the parents of vertex 2 do not lead"},
		{"its own parent", Result{Parents: []uint32{0, 0, 2, 0, 3, n, n, n}}, "vertex 2 has parent 2"},
		{"a separate pair", Result{Parents: []uint32{0, 0, 1, 0, 3, 6, 5, n}}, "the parents of vertex 5 do not lead"},
		{"short", Result{Parents: []uint32{0}}, "there are 1 parents of 8"},
		{"nothing", Result{}, "there are 0 parents of 8"},
	} {
		for _, g.Symmetric = range []bool{true, false} { // the edges of a directed graph are looked for from parents
			got := tr.validate(g, c.r)
			expect.That(t, strings.HasPrefix(got, c.want) && (got == "") == (c.want == ""),
				"%s, symmetric %v: %q", c.name, g.Symmetric, got)
		}
	}
}

// fake searches with the reference implementation, with faults.
type fake struct {
	g      *Graph
	source uint32
	fault  string
	name   string   // of the strategy
	short  string   // the strategy whose searches take a millisecond
	order  []string // of all searches
}

func (f *fake) Name() string        { return "fake" }
func (f *fake) Load(g *Graph) error { f.g = g; return nil }
func (f *fake) Close() error        { return nil }
func (f *fake) Prepare(s Strategy) error {
	f.fault, f.name = s.Of("cull"), s.Name
	if s.Of(engineKey) != "" {
		return fmt.Errorf("%w: it is for CPUs", ErrLeftOut)
	}
	return nil
}

func (f *fake) Run(source uint32) (Measures, error) {
	f.source, f.order = source, append(f.order, f.name)
	counts := &Counts{Launches: 4, Vertices: 6, Inspected: 26, Repeated: 1, Queues: 64}
	return Measures{Full: f.fault == "history", Seconds: map[bool]float64{true: 0.001, false: 0.5}[f.name == f.short],
		Counts:  counts,
		ByLevel: []Level{{Vertices: 1, Edges: 2, Launches: 1, Seconds: 1e-6}},
		Shares:  []Share{{0, 4, 9, 2, 2 << 10}, {1, 4, 9, 3, 4 << 10}}}, nil
}

func (f *fake) Result() (Result, error) {
	distances := f.g.Distances(f.source)
	if f.fault == "none" {
		distances[0]++
	}
	return Result{Distances: distances}, nil
}

// The queue when a search turns bottom-up is a share of all vertices; searches top-down have none.
func TestSwitched(t *testing.T) {
	s := onGraph{g: square()}
	for want, levels := range map[float64][]Level{
		0.75: {{Vertices: 1}, {Vertices: 6, BottomUp: true}, {Vertices: 2, BottomUp: true}},
		0:    {{Vertices: 1}, {Vertices: 6}},
	} {
		m := Measures{Counts: &Counts{}, ByLevel: levels}
		expect.Equal(t, s.measured(Strategy{}, truth{}, m).Switched, want)
	}
}

// measure measures strategies on square, and on its edges to higher vertices, on machines.
func measure(t *testing.T, strategies string, machines ...Machine) *Report {
	t.Helper()
	p := Plan{Graphs: GraphsOf(square(), square().upwards()), Strategies: expect.Value(Choose(strategies))(t), Runs: 4,
		Seed: 2, Validate: true, Trace: true}
	return expect.Value(Measure(context.Background(), p, machines, bench.Watchers{}))(t)
}

// upwards returns the directed graph of the edges to vertices that are not lower.
func (g *Graph) upwards() *Graph {
	up := &Graph{Name: "directed", Offsets: []int64{0}}
	for v := range uint32(g.Vertices()) {
		for _, to := range g.Row(v) {
			if to >= v {
				up.Columns = append(up.Columns, to)
			}
		}
		up.Offsets = append(up.Offsets, int64(len(up.Columns)))
	}
	return up
}

func TestMeasure(t *testing.T) {
	list := "toedling-naive,merrill-hybrid,merrill-hybrid:cull=none,merrill-hybrid:cull=history,cpu"
	r := measure(t, list, &fake{})
	r.Graphs = r.Graphs[:1]
	f := r.Graphs[0]
	expect.Must(t, len(f.Rows) == 4 && len(f.LeftOut) == 1 && f.LeftOut[0] == (LeftOut{"cpu", "it is for CPUs"}), "%+v", f)
	good, wrong, full := f.Rows[1], f.Rows[2], f.Rows[3]
	expect.That(t, good.Ratio == 1 && good.Seconds.Mean == 0.5 && good.Launches == 4 && good.QueueBytes == 64, "%+v", good)
	expect.That(t, len(good.Levels) == 1 && good.Levels[0].FrontierVertices == 1 && good.Levels[0].FrontierEdges != 0 &&
		good.InspectedShare != 0 && good.RepeatedShare != 0, "%+v", good)
	expect.That(t, len(good.Shares) == 2 && good.Shares[1] == (Share{1, 4, 9, 3, 4 << 10}), "%+v", good.Shares)
	for _, s := range good.Searches {
		want := int64(13) // of the ring and its tail
		if s.Source >= 5 {
			want = 2
		}
		expect.That(t, s.DirectedEdges == want && s.Edges == want/2, "%+v", s)
	}
	expect.That(t, wrong.Fault != "" && wrong.Directed == nil && full.Full && full.Directed == nil && r.Wrong(),
		"%+v\n%+v", wrong, full)
	expect.Contains(t, expect.Written(t, r.WriteText), "WRONG: merrill-hybrid:cull=none, source", "queue full",
		"by level", "by share", "4.10 kB", "left out, since it is for CPUs: cpu")
	table := func(write func(io.Writer) error) [][]string {
		return expect.Value(csv.NewReader(strings.NewReader(expect.Written(t, write))).ReadAll())(t)
	}
	expect.Equal(t, len(table(r.WriteCSV)), 1+4+4+1+1+1)
	levels := table(r.WriteLevelsCSV)
	expect.That(t, len(levels) == 1+3 && levels[1][6] == "0" && levels[1][12] == "1" && levels[1][13] == "1e-06",
		"%q", levels)
}

// Engines find right trees in a graph with duplicates and self-loops, and in a directed graph. The reason for leaving a
// strategy out comes from the machine for it, in any order of the machines.
func TestEngines(t *testing.T) {
	expect.NoError(t, comm.Loopback(1, func(tr comm.Transport) error {
		full := func(comm.Transport, graph.Tuples) (engine.Engine, error) {
			return nil, fmt.Errorf("%w: the memory is full", ErrLeftOut)
		}
		began := time.Now()
		clock := func() time.Duration { return time.Since(began) }
		gpu, cpu := NewEngines("gpu", tr, map[string]bfs.New{"gpu": full}, clock), NewCPU(tr, 1, clock)
		want := []LeftOut{{"merrill-hybrid", ReasonOf(ErrElsewhere)}, {"g500", "the memory is full"}}
		for _, machines := range [][]Machine{{gpu, cpu}, {cpu, gpu}} {
			r := measure(t, "g500,cpu*,cpu-topdown:count=kept,merrill-hybrid", machines...)
			for i, g := range r.Graphs {
				right := len(g.Rows) == 3 && g.Rows[0].Fault == "" && (g.Rows[0].TEPS == nil) == (i == 1)
				expect.That(t, slices.Equal(g.LeftOut, want) && right, "%v, want %v; %+v", g.LeftOut, want, g.Rows)
			}
			rows := r.Graphs[0].Rows
			expect.Must(t, len(rows) == 3 && !r.Wrong() && rows[1].TEPS != nil && rows[1].Work == nil, "%+v", rows)
			for i, s := range rows[2].Searches { // the ring has 10 directed edges, a duplicate in both directions and a loop
				want := map[int64]int64{13: 10, 2: 2}[rows[1].Searches[i].DirectedEdges]
				expect.That(t, s.DirectedEdges == want && s.Edges == want/2, "%+v", s)
			}
			expect.Contains(t, expect.Written(t, r.WriteText), "without levels, since",
				"before the clock starts, duplicates and self-loops are dropped")
			expect.Contains(t, expect.Written(t, r.WriteCSV), ",3,,,,,,,,dup")
		}
		return cpu.Close()
	}))
}

// Strategies take turns, and each round begins with another one; untimed searches precede short ones. Rounds end after
// the least number if the time is over or they are enough.
func TestRounds(t *testing.T) {
	chosen := expect.Value(Choose("merrill-hybrid,toedling-naive,merrill-two-phase:cull=history"))(t)
	m := &fake{short: "toedling-naive"}
	clock := func() time.Duration { return time.Duration(len(m.order)) * time.Second }
	graphs := GraphsOf(random(300, 900, true))
	plan := func(r Rounds) Plan {
		m.order, r.Clock, r.Least = nil, clock, 18
		return Plan{Graphs: graphs, Strategies: chosen, Runs: 50, Seed: 2, Rounds: r}
	}
	enough := func(f GraphFigures) bool { return len(f.Rows[0].Searches) >= 20 }
	for _, c := range []struct {
		r    Rounds
		want int
	}{{Rounds{}, 50}, {Rounds{Most: time.Minute}, 50}, {Rounds{Most: time.Second}, 18}, {Rounds{Enough: enough}, 32}} {
		r, err := Measure(context.Background(), plan(c.r), []Machine{m}, bench.Watchers{})
		rows := r.Graphs[0].Rows
		expect.That(t, err == nil && len(rows[0].Searches) == c.want && len(rows[1].Searches) == c.want,
			"%+v: %d searches, %v, want %d", c.r, len(rows[0].Searches), err, c.want)
	}
	order := strings.Join(m.order[5:13], " ") // after the warm-up
	expect.Equal(t, order, "merrill-hybrid toedling-naive toedling-naive merrill-two-phase:cull=history toedling-naive "+
		"toedling-naive merrill-hybrid merrill-hybrid")

	var before *GraphFigures
	for calls := 1; ; calls++ { // each ends after nine searches
		rounds := Rounds{Before: before, Until: 9 * time.Second}
		r, err := Measure(context.Background(), plan(rounds), []Machine{m}, bench.Watchers{})
		var stored Report
		expect.NoError(t, json.Unmarshal([]byte(expect.Written(t, r.WriteJSON)), &stored))
		before = &stored.Graphs[0]
		if err == nil {
			rows := before.Rows
			expect.That(t, calls >= 10 && len(rows[1].Searches) == 50 && rows[1].Searches[49].Source == before.Sources[49] &&
				rows[2].Full && before.Took[0].Seconds >= 90,
				"%d calls, %d searches, took %v", calls, len(rows[1].Searches), before.Took)
			break
		}
		expect.Must(t, errors.Is(err, ErrUnfinished) && calls <= 50, "%v", err)
		rows := before.Rows
		rows[0].Searches = append(rows[0].Searches, rows[0].Searches...) // of a round that a signal ended
	}
}

// Errors name the possible values of settings.
func TestKeysAreChecked(t *testing.T) {
	for list, want := range map[string]string{
		"merrill-hybrid:cul=none":      `no key "cul": choose one of shape, gather`,
		"merrill-hybrid:cull=all":      "choose none, warp, history, both",
		"merrill-hybrid:cull=":         "choose none",
		"merrill-hybrid:drop_degree=2": "choose a number from 0 to 1",
		"merrill-hybrid:tiles=-1":      "choose a number from 1",
		"merrill-hybrid:history=100":   "choose a power of two from 32 to 4096",
		"cpu:cull=none":                `no key "cull": choose one of engine, output, count`,
		"merrill-hybrid:count=kept":    `no key "count"`,
	} {
		expect.Error(t, expect.Err(Choose(list)), want, list)
	}
	kept, err := Choose("cpu:count=kept")
	expect.That(t, err == nil && kept[0].Before != "", "%+v, %v", kept, err)
}
