// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"g500/bench"
	"g500/internal/expect"
)

// Strategies of a file follow the built-in ones; a faulty row is an error that names it.
func TestOwnStrategies(t *testing.T) {
	mine := "mine = { like = \"merrill-hybrid\", cull = \"none\" }\n" +
		"next = { like = \"mine\", paper = \"Doe\", tiles = 2 }\n"
	all := expect.Value(ReadTable(expect.File(t, "prog.csv", mine)))(t)
	chosen, err := all.Choose("mine:tiles=3,next,cpu")
	expect.That(t, err == nil && len(chosen) == 3 && chosen[0].Of("cull") == "none" && chosen[0].Of("tiles") == "3" &&
		chosen[1].Of("gather") == "scan" && chosen[1].Paper == "Doe" && len(all) == len(Table())+2, "%+v, %v", chosen, err)
	for text, want := range map[string]string{
		`a = { like = "b" }`:                     "there is no earlier strategy b",
		`a = { like = "a" }`:                     "there is no earlier strategy a",
		`a = { gather = "scan" }`:                "strategy a has no shape",
		`a = { shape = "two-phase", gathr = 1 }`: `no key "gathr"`,
		`a = { shape = "round" }`:                "choose expand-contract",
		`merrill-hybrid = { shape = "hybrid" }`:  "choose a new name",
		`"a:b" = { shape = "hybrid" }`:           "choose a new name",
		`a = 3`:                                  "has no shape",
		`a = `:                                   "line 1",
	} {
		expect.Error(t, expect.Err(ReadTable(expect.File(t, "prog.csv", text))), want, text)
	}
	expect.That(t, !slices.Contains(Table().Names(), "mine"), "the table of the program has changed")
}

// Times of other programs have a row with the rates of their graph and sources; results are not validated.
func TestTimes(t *testing.T) {
	g := square()
	var rows strings.Builder
	rows.WriteString("strategy,graph,source,seconds,note,machine\n")
	for _, source := range g.Sources(4, 2) {
		rows.WriteString("rival,square," + string(rune('0'+source)) + ",0.25,x,GPU 7\n")
	}
	rows.WriteString("part,square,2,0.5,,\nother,circle,2,0.5,,\n")
	times := expect.Value(ReadTimes(expect.File(t, "prog.csv", rows.String())))(t)
	chosen := expect.Value(Choose("merrill-hybrid"))(t)
	p := Plan{Graphs: GraphsOf(square()), Strategies: append(chosen, times.Strategies()...), Runs: 4, Seed: 2,
		Validate: true}
	r := expect.Value(Measure(context.Background(), p, []Machine{times, &fake{}}, bench.Watchers{}))(t)
	f := r.Graphs[0]
	expect.That(t, len(f.Rows) == 2 && !f.Rows[0].OnlyTimes && f.Rows[1].OnlyTimes && f.Rows[1].Ratio == 2 &&
		f.Rows[1].Machine == "GPU 7" && f.Rows[1].Work == nil, "%+v", f.Rows)
	for i, want := range []string{"no times on this graph, but on circle", "no time from source"} {
		expect.That(t, len(f.LeftOut) == 2 && strings.Contains(f.LeftOut[i].Reason, want), "%+v", f.LeftOut)
	}
	expect.Contains(t, expect.Written(t, r.WriteText), "results not validated: rival")
	for text, want := range map[string]string{
		"graph,strategy,source,seconds\n":                      "has no times",
		"graph,strategy,source,seconds\ng,s,1,fast\n":          "row 2: column seconds",
		"graph,strategy,source,seconds\ng,s,-1,1\n":            "row 2: column source",
		"graph,source,seconds\ng,1,1\n":                        "row 2: name the graph",
		"graph,strategy,source,seconds\ng,s,1,1\ng,s,1,2\n":    "row 3: s has a second time",
		"graph,strategy,source,seconds\ng,s,1\n":               "wrong number of fields",
		"graph,strategy,source,seconds\ng,s,1,0\n":             "row 2: column seconds",
		"graph,strategy,source,seconds\ng,s,99999999999,1.0\n": "row 2: column source",
	} {
		expect.Error(t, expect.Err(ReadTimes(expect.File(t, "prog.csv", text))), want, text)
	}
}

// Searches from many sources together find what a queue finds from each, on directed graphs too.
func TestReference(t *testing.T) {
	for _, symmetric := range []bool{true, false} {
		g := random(20000, 30000, symmetric)
		r, sources := newReference(g, nil), g.Sources(2*together, 5)
		first, _ := r.search(t.Context(), sources[:together])
		second, _ := r.search(t.Context(), sources[together:])
		for i, got := range append(first, second...) {
			want := truth{source: sources[i]}
			distances := g.Distances(sources[i])
			want.sum = checksum(distances)
			for v, d := range distances {
				if d == None {
					continue
				}
				row := g.Row(uint32(v))
				want.add(tally{reached: 1, edges: int64(len(row))})
				for _, to := range row {
					if int(to) == v {
						want.loops++
					}
				}
				for len(want.frontiers) <= int(d) {
					want.frontiers = append(want.frontiers, frontier{})
				}
				want.frontiers[d].vertices++
				want.frontiers[d].edges += int64(len(row))
			}
			expect.Must(t, reflect.DeepEqual(got, want), "source %d: %+v, want %+v", sources[i], got, want)
		}
	}
}

// A signal ends the reference searches between levels.
func TestReferenceIsStopped(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	asked := errors.New("SIGTERM")
	stop(asked)
	_, err := newReference(square(), nil).search(ctx, []uint32{0})
	expect.That(t, errors.Is(err, asked), "%v", err)
}

// random returns a graph with random edges, duplicates and self-loops.
func random(vertices, edges int, symmetric bool) *Graph {
	var tuples [][2]uint32
	for i := range uint64(edges) {
		tuples = append(tuples, [2]uint32{uint32(mix(2*i) % uint64(vertices)), uint32(mix(2*i+1) % uint64(vertices))})
	}
	tuples = append(tuples, tuples[:edges/10]...)
	for v := range uint32(vertices / 10) {
		tuples = append(tuples, [2]uint32{v, v})
	}
	g := Symmetric("random", vertices, tuples)
	if symmetric {
		return g
	}
	return g.upwards()
}
