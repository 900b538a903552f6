// SPDX-License-Identifier: Apache-2.0

package color

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/bench"
	"g500/internal/expect"
	"g500/lab"
)

// graphs returns small graphs of known kinds, each with the least number of colours, or 0 if it is unknown.
func graphs() map[*lab.Graph]int {
	var path, star, complete, random [][2]uint32
	for v := range uint32(99) {
		path, star = append(path, [2]uint32{v, v + 1}), append(star, [2]uint32{0, v + 1})
	}
	for v := range uint32(40) {
		for u := range v {
			complete = append(complete, [2]uint32{u, v})
		}
	}
	draws := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		random = append(random, [2]uint32{draws.Uint32N(3000), draws.Uint32N(3000)})
	}
	return map[*lab.Graph]int{
		lab.Symmetric("one vertex", 1, nil):                   1,
		lab.Symmetric("loop", 2, [][2]uint32{{0, 0}, {0, 1}}): 2,
		lab.Symmetric("path", 100, path):                      2,
		lab.Symmetric("star", 100, star):                      2,
		lab.Symmetric("complete", 40, complete):               40,
		lab.Symmetric("random", 3000, random):                 0,
	}
}

// faultOf returns the fault of a colouring, by all pairs of neighbours. It shares no code with the validator.
func faultOf(g *lab.Graph, colors []uint32) string {
	for v := range uint32(g.Vertices()) {
		if colors[v] < 1 {
			return "no colour"
		}
		if slices.ContainsFunc(g.Row(v), func(to uint32) bool { return to != v && colors[to] == colors[v] }) {
			return "a conflict"
		}
	}
	return ""
}

func cores(workers int) *Cores {
	began := time.Now()
	return NewCores(workers, func() time.Duration { return time.Since(began) })
}

// All algorithms for cores colour all graphs, with any number of workers. Greedy ones need at most one colour more than
// the largest degree; deterministic ones always find the same colours.
func TestCoresColorGraphs(t *testing.T) {
	for g, least := range graphs() {
		for _, a := range Table() {
			var first []uint32
			for _, workers := range []int{1, 2, 5} {
				m, greedy := cores(workers), a.Of("greedy") != ""
				expect.NoError(t, m.Load(g))
				if err := m.Prepare(a); a.NeedsGPU() && err != nil {
					continue
				}
				expect.NoError(t, expect.Err(m.Run(0)))
				colors := m.colors
				expect.Equal(t, faultOf(g, colors), "", a.Name, g.Name)
				count, fault := validate(g, colors, greedy)
				expect.That(t, fault == "" && count >= least && (!greedy || least == 0 || g.Name != "complete" || count == least),
					"%s, %s, %d workers: %d colours, %s", a.Name, g.Name, workers, count, fault)
				if first == nil {
					first = slices.Clone(colors)
				} else if a.Of("deterministic") != "" && !slices.Equal(first, colors) {
					t.Errorf("%s, %s: other colours with %d workers", a.Name, g.Name, workers)
				}
			}
		}
	}
}

// Serial gives each vertex the first free colour. finish does so for vertices without a colour.
func TestFirstFit(t *testing.T) {
	m, g := cores(1), lab.Symmetric("", 4, [][2]uint32{{0, 1}, {1, 2}, {0, 3}, {1, 3}, {2, 3}})
	_ = m.Load(g)
	expect.NoError(t, m.Prepare(Table()[0]))
	expect.NoError(t, expect.Err(m.Run(0)))
	expect.Equal(t, m.colors, []uint32{1, 2, 1, 3})
	colors := []uint32{2, 0, 1, 0}
	finish(g, colors)
	expect.That(t, slices.Equal(colors, []uint32{2, 3, 1, 4}), "%v", colors)
}

func TestValidationFindsFaults(t *testing.T) {
	path := lab.Symmetric("path", 3, [][2]uint32{{0, 1}, {1, 2}})
	for want, c := range map[string]struct {
		colors []uint32
		greedy bool
	}{
		"2 of 3 vertices":              {[]uint32{1, 2}, false},
		"has no colour":                {[]uint32{1, 0, 1}, false},
		"both colour 2":                {[]uint32{1, 2, 2}, false},
		"colour 4 exceeds the largest": {[]uint32{1, 4, 1}, true},
		"eight per vertex":             {[]uint32{1, 25, 1}, false},
	} {
		_, fault := validate(path, c.colors, c.greedy)
		expect.Contains(t, fault, want)
	}
	count, fault := validate(path, []uint32{1, 9, 1}, false)
	expect.That(t, count == 2 && fault == "", "%d colours, %s", count, fault)
}

func TestChoose(t *testing.T) {
	for _, c := range []struct{ list, optimisations, want string }{
		{"serial,jp", "all", "serial jp"},
		{"data+bitset+fuse", "all", "data+bitset+fuse"},
		{"opt,alone", "bitset,ldg", "opt data+bitset data+ldg"},
		{"alone", "all", "data+resolve data+coarsen data+bitset data+fuse data+ldg data+balance"},
	} {
		chosen, err := Choose(c.list, c.optimisations)
		names := lab.Strategies(chosen).Names()
		expect.That(t, err == nil && strings.Join(names, " ") == c.want, "%v, %v, want %s", names, err, c.want)
	}
	chosen, err := Choose("all", "bitset,ldg")
	if opt := chosen[8]; err != nil || opt.Name != "opt" || opt.Of("kernel") != "data+bitset+ldg" ||
		len(chosen) != len(Table())+2 {
		t.Error(chosen, err)
	}
	for want, list := range map[string]string{
		`no algorithm "pigeon"`: "pigeon", "is no optimisation of serial": "serial+bitset", `"speed" is no`: "data+speed",
		"it has no fused kernel": "topology+fuse", "their missing colour": "topology+keep",
		"is no optimisation of gm3": "gm3+bitset",
	} {
		expect.Error(t, expect.Err(Choose(list, "all")), want, list)
	}
}

// painter is a machine with given colours for each run; one without colours fails.
type painter struct {
	Cores
	runs [][]uint32
	next int
}

func (p *painter) Prepare(lab.Strategy) error { return nil }

func (p *painter) Run(uint32) (m lab.Measures, err error) {
	p.colors = p.runs[p.next%len(p.runs)]
	p.next++
	if p.colors == nil {
		err = lab.ErrFailed
	}
	return lab.Measures{Seconds: 0.001}, err
}

// measure measures three runs on a path of three vertices.
func measure(m lab.Machine, symmetric bool, algorithms ...lab.Strategy) (*lab.Report, error) {
	g := lab.Symmetric("path", 3, [][2]uint32{{0, 1}, {1, 2}})
	g.Symmetric = symmetric
	p := lab.Plan{Graphs: lab.GraphsOf(g), Strategies: algorithms, Runs: 3}
	return Measure(context.Background(), p, []lab.Machine{m}, bench.Watchers{})
}

// The report has failures, wrong colourings, and deterministic algorithms whose colours change; every other run is
// untimed. Directed graphs are refused.
func TestMeasureValidatesEachRun(t *testing.T) {
	good, other, bad := []uint32{1, 2, 1}, []uint32{2, 1, 2}, []uint32{1, 1, 2}
	data, serial := Table()[6], Table()[0]
	for _, c := range []struct {
		a    lab.Strategy
		runs [][]uint32
		want string
	}{
		{data, [][]uint32{good, other}, ""},
		{data, [][]uint32{good, bad, good, bad, good, bad, bad}, "run 3: vertices 0 and 1 have an edge"},
		{serial, [][]uint32{good, good}, ""},
		{serial, [][]uint32{good, good, good, good, other}, "other colours than in the first run"},
		{data, [][]uint32{nil}, "failed"},
		{data, [][]uint32{good, good, nil}, "failed"},
	} {
		r, err := measure(&painter{runs: c.runs}, true, c.a)
		expect.Must(t, err == nil && len(r.Graphs[0].Rows) == 1, "%+v, %v", r, err)
		got := r.Graphs[0].Rows[0].Fault
		expect.That(t, strings.Contains(got, c.want) && (got == "") == (c.want == ""),
			"%s: %q, want %q", c.a.Name, got, c.want)
	}
	expect.Error(t, expect.Err(measure(cores(1), false, data)), "choose an undirected")
}
