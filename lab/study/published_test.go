// SPDX-License-Identifier: Apache-2.0

package study

import (
	"slices"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/record"
)

// Each published value belongs to a study of the program with strategies of the program, and is a positive number.
func TestPublishedValues(t *testing.T) {
	for _, v := range publishedValues() {
		s, err := Load(v.study)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{v.Of, v.Over} {
			if _, err := s.choose(name); name != "" && err != nil {
				t.Errorf("%+v: %v", v, err)
			}
		}
		known := slices.Contains([]string{"rate", "inspected"}, v.Figure)
		if v.Place == "" || v.Machine == "" || v.Graph == "" || !(v.Value > 0) || !known {
			t.Errorf("%+v", v)
		}
	}
	for _, name := range []string{"merrill", "merrill-gpus", "enterprise", "enterprise-gpus", "chen"} {
		if len(Published(name)) == 0 {
			t.Errorf("%s has no published values", name)
		}
	}
}

// A value is compared on the paper's own graph and on graphs that stand for it, by the rates of both strategies.
func TestMeasuredByGraph(t *testing.T) {
	row := func(name string, rate float64) lab.Row {
		return lab.Row{Strategy: lab.Strategy{Name: name}, Directed: &record.Rates{HarmonicMean: rate},
			Work: &lab.Work{InspectedShare: 3}}
	}
	r := Result{Study: Study{Graphs: []Graph{{Name: "kr0", Stands: "KR0"}, {Name: "road", Stands: "a.osm, with 1/20"},
		{Name: "a-osm"}, {Name: "other", Stands: "a.osm2"}}},
		Graphs: []lab.GraphFigures{{Rows: []lab.Row{row("a", 6), row("b", 3)}}, {Rows: []lab.Row{row("a", 5)}}, {}, {}}}
	halves := row("halves", 4)
	halves.Shares = []lab.Share{{GPU: 0}, {GPU: 0}}
	r.Graphs[0].Rows = append(r.Graphs[0].Rows, halves)
	of := func(graph string, figure float64) Measured {
		return Measured{Graph: graph, Interval: Interval{Figure: figure}}
	}
	for _, c := range []struct {
		v    PublishedValue
		want []Measured
	}{
		{PublishedValue{Graph: "KR0", Of: "a", Over: "b", Figure: "rate"}, []Measured{of("KR0", 2)}},
		{PublishedValue{Graph: "KR0", Of: "a", Figure: "inspected"}, []Measured{of("KR0", 3)}},
		{PublishedValue{Graph: "a.osm", Of: "a", Figure: "rate"},
			[]Measured{of("a.osm (here road)", 5)}},
		{PublishedValue{Graph: "a.osm", Of: "a", Over: "b", Figure: "rate"}, nil},
		{PublishedValue{Graph: "KR0", Of: "halves", Figure: "rate"}, nil}, // both on one GPU
	} {
		expect.Equal(t, r.Measured(c.v), c.want, c.v)
	}
}
