// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"fmt"
	"slices"

	"g500/lab"
	"g500/lab/color"
	"g500/record"
)

// The kinds of studies have the names of the commands that measure the same.
const (
	BFS   = "bfs"
	Color = "color"
)

// kind has the differences between studies of searches and of colouring.
type kind struct {
	choose  func(s Study, names string) ([]lab.Strategy, error)
	measure func(context.Context, lab.Plan, []lab.Machine, lab.Watcher) (*lab.Report, error)
	often   func(s Study) string // how often each strategy ran
	tables  []figureTable
}

// figureTable is a table of one figure, with a row per strategy and a column per graph.
type figureTable struct {
	title, note string
	cell        func(lab.Row) string
}

// rates is the title of the tables with rates.
const rates = "directed edges per second"

var kinds = map[string]kind{
	BFS: {
		choose: func(s Study, names string) ([]lab.Strategy, error) {
			chosen, err := s.table.Choose(names)
			for _, times := range s.times {
				chosen = append(slices.Clip(chosen), times.Strategies()...)
			}
			return append(slices.Clip(chosen), s.added...), err
		},
		measure: lab.Measure,
		often:   func(s Study) string { return fmt.Sprintf("up to %d sources per graph", s.Sources) },
		tables: []figureTable{
			{rates, "Harmonic means; the edges that leave reached vertices, divided by time.", rateOf},
			{"inspected edges", "Per edge that leaves a reached vertex: 1 means that each edge is inspected once.",
				func(r lab.Row) string {
					if r.Work == nil || r.InspectedShare == 0 {
						return "not counted"
					}
					return fmt.Sprintf("%.3g", r.InspectedShare)
				}},
		},
	},
	Color: {
		choose:  func(_ Study, names string) ([]lab.Strategy, error) { return color.Choose(names, "all") },
		measure: color.Measure,
		often:   func(s Study) string { return fmt.Sprintf("up to %d colourings by each algorithm", s.Runs) },
		tables: []figureTable{
			{rates, "Harmonic means; all directed edges of the graph, divided by time.", rateOf},
			{"colours", "Means.", func(r lab.Row) string { return short(r.Coloring.Colors) }},
			{"rounds", "Means; 0 for algorithms without rounds.",
				func(r lab.Row) string { return short(r.Coloring.Rounds) }},
		},
	},
}

func rateOf(r lab.Row) string {
	if r.Directed == nil {
		return "not timed"
	}
	return record.FormatRate(r.Directed.HarmonicMean)
}

// strategiesOn returns the strategies for a graph, with the second ones of pairs at the end.
func (s Study) strategiesOn(g Graph) ([]lab.Strategy, error) {
	chosen, err := s.choose(s.namesOn(g))
	for _, one := range chosen {
		if slices.Contains(s.Pairs, one.Name) {
			one.Name = lab.Again(one.Name)
			chosen = append(chosen, one)
		}
	}
	return chosen, err
}
