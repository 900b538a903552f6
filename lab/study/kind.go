// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"fmt"
	"slices"

	"g500/internal/lists"
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
	choose func(s Study, names string) ([]lab.Strategy, error)
	often  func(s Study) string // how often each strategy ran
	tables []figureTable
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
		often: func(s Study) string { return fmt.Sprintf("up to %d sources per graph", s.Sources) },
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
		choose: func(_ Study, names string) ([]lab.Strategy, error) {
			all, err := color.Choose(names, "all")
			return lists.Of(all, func(a color.Algorithm) lab.Strategy { return a.Strategy }), err
		},
		often: func(s Study) string { return fmt.Sprintf("up to %d colourings by each algorithm", s.Runs) },
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

// RunSearches measures a study of kind BFS, with the strategies that machines bring.
func RunSearches(ctx context.Context, s Study, r Runner[lab.Machine]) (*Result, error) {
	if own := lab.OwnStrategies(r.Machines); len(own) > 0 { // otherwise plugins of the study's file are left out
		s.added = own
	}
	for _, times := range s.times {
		r.Machines = append(slices.Clip(r.Machines), times)
	}
	return r.run(s, func(g Graph, rounds lab.Rounds) (*lab.Report, error) {
		chosen, err := s.strategiesOn(g)
		if err != nil {
			return nil, err
		}
		plan := lab.Plan{Graphs: lab.Graphs{Names: []string{g.Spec}, Load: r.Load}, Strategies: chosen,
			Sources: s.Sources, Seed: s.Seed, Validate: true, Trace: true, Rounds: rounds}
		return lab.Measure(ctx, plan, r.Machines, r.Watch)
	})
}

// RunColorings measures a study of kind Color.
func RunColorings(ctx context.Context, s Study, r Runner[color.Machine]) (*Result, error) {
	return r.run(s, func(g Graph, rounds lab.Rounds) (*lab.Report, error) {
		chosen, err := color.Choose(s.namesOn(g), "all")
		if err != nil {
			return nil, err
		}
		chosen = withPairs(chosen, s.Pairs, func(a *color.Algorithm) *string { return &a.Name })
		plan := color.Plan{Graphs: lab.Graphs{Names: []string{g.Spec}, Load: r.Load}, Algorithms: chosen, Runs: s.Runs,
			Rounds: rounds}
		return color.Measure(ctx, plan, r.Machines, r.Watch)
	})
}

// strategiesOn returns the strategies for a graph, with the second ones of pairs.
func (s Study) strategiesOn(g Graph) ([]lab.Strategy, error) {
	chosen, err := s.choose(s.namesOn(g))
	return withPairs(chosen, s.Pairs, func(s *lab.Strategy) *string { return &s.Name }), err
}

// withPairs returns strategies, and at the end a second one of each that is named.
func withPairs[T any](all []T, named []string, name func(*T) *string) []T {
	for _, one := range all {
		if slices.Contains(named, *name(&one)) {
			*name(&one) = lab.Again(*name(&one))
			all = append(all, one)
		}
	}
	return all
}
