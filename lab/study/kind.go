package study

import (
	"context"
	"fmt"
	"strings"

	"g500/lab"
	"g500/lab/color"
	"g500/record"
)

// The kinds of studies, named as the commands that measure the same.
const (
	BFS   = "bfs"
	Color = "color"
)

// kind is what differs between studies.
type kind struct {
	choose func(names []string) ([]lab.Strategy, error)
	often  func(s Study) string // how often each strategy ran
	tables []figureTable        // with a row for each strategy and a column for each graph
}

// figureTable is a figure of all strategies on all graphs.
type figureTable struct {
	title, note string
	cell        func(lab.Row) string
}

var kinds = map[string]kind{
	BFS: {
		choose: func(names []string) ([]lab.Strategy, error) { return lab.Choose(strings.Join(names, ",")) },
		often:  func(s Study) string { return fmt.Sprintf("%d sources a graph", s.Sources) },
		tables: []figureTable{
			{"directed edges a second", "Harmonic means; the edges that leave the reached vertices, over time.", rateOf},
			{"inspected edges", "Over the edges that leave the reached vertices: 1 is each of them once.", inspectedOf},
		},
	},
	Color: {
		choose: func(names []string) (chosen []lab.Strategy, err error) {
			all, err := algorithms(names)
			for _, a := range all {
				chosen = append(chosen, a.Strategy)
			}
			return chosen, err
		},
		often: func(s Study) string { return fmt.Sprintf("%d colourings by each algorithm", s.Runs) },
		tables: []figureTable{
			{"directed edges a second", "Harmonic means; all directed edges of the graph, over time.", rateOf},
			{"colours", "Means.", func(r lab.Row) string { return fmt.Sprintf("%.4g", r.Coloring.Colors) }},
			{"rounds", "Means; 0 where there are none.",
				func(r lab.Row) string { return fmt.Sprintf("%.4g", r.Coloring.Rounds) }},
		},
	},
}

func algorithms(names []string) ([]color.Algorithm, error) {
	return color.Choose(strings.Join(names, ","), strings.Join(color.Optimisations, ","))
}

func rateOf(r lab.Row) string {
	return strings.TrimSuffix(record.FormatTEPS(r.Directed.HarmonicMean), "TEPS")
}

func inspectedOf(r lab.Row) string {
	if r.InspectedShare == 0 {
		return "not counted"
	}
	return fmt.Sprintf("%.3g", r.InspectedShare)
}

// Setup is what a study is measured with: machines of its kind, and what makes a graph of a spec.
type Setup[M interface{ Name() string }] struct {
	Machines []M
	Load     func(ctx context.Context, spec string) (*lab.Graph, error)
	Watch    lab.Watcher
}

func (b Setup[M]) names() (names []string) {
	for _, m := range b.Machines {
		names = append(names, m.Name())
	}
	return names
}

// RunSearches measures a study of kind BFS into the folder of the runner.
func (r Runner) RunSearches(ctx context.Context, s Study, b Setup[lab.Machine]) (*Result, error) {
	return r.run(ctx, s, b.names(), func(ctx context.Context, g Graph) (*lab.Report, error) {
		chosen, err := s.on(g)
		if err != nil {
			return nil, err
		}
		plan := lab.Plan{Graphs: []string{g.Spec}, Load: b.Load, Strategies: chosen, Sources: s.Sources, Seed: s.Seed,
			Validate: true}
		return lab.Measure(ctx, plan, b.Machines, b.Watch)
	})
}

// RunColorings measures a study of kind Color.
func (r Runner) RunColorings(ctx context.Context, s Study, b Setup[color.Machine]) (*Result, error) {
	return r.run(ctx, s, b.names(), func(ctx context.Context, g Graph) (*lab.Report, error) {
		chosen, err := algorithms(s.namesOn(g))
		if err != nil {
			return nil, err
		}
		plan := color.Plan{Graphs: []string{g.Spec}, Load: b.Load, Algorithms: chosen, Runs: s.Runs}
		return color.Measure(ctx, plan, b.Machines, b.Watch)
	})
}
