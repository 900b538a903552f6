package color

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"g500/lab"
	"g500/record"
)

// Plan is what is to be measured.
type Plan struct {
	Graphs     []string // names, which Load understands
	Load       func(ctx context.Context, name string) (*lab.Graph, error)
	Algorithms []Algorithm
	Runs       int
}

// Measure has each algorithm colour each graph some times. Machines are asked in order; the first that does not leave
// an algorithm out colours by it. A fault of a colouring is no error: the report tells it.
func Measure(ctx context.Context, p Plan, machines []Machine, w lab.Watcher) (*lab.Report, error) {
	r := &lab.Report{Validated: true}
	for _, m := range machines {
		r.Machines = append(r.Machines, m.Name())
	}
	for _, name := range p.Graphs {
		g, err := p.Load(ctx, name)
		if err != nil {
			return nil, err
		}
		if !g.Symmetric {
			return nil, fmt.Errorf("color: %s is directed: choose an undirected graph", g.Name)
		}
		for _, m := range machines {
			if err := m.Load(g); err != nil {
				return nil, err
			}
		}
		figures := lab.GraphFigures{Graph: g.Name, Vertices: int64(g.Vertices()), Edges: int64(len(g.Columns)),
			Symmetric: true}
		for _, a := range p.Algorithms {
			one := onGraph{Plan: p, g: g, a: a, w: w}
			row, err := one.measure(ctx, machines)
			switch {
			case errors.Is(err, lab.ErrLeftOut):
				figures.LeftOut = append(figures.LeftOut, lab.LeftOut{Strategy: a.Name, Reason: lab.ReasonOf(err)})
			case err != nil:
				return nil, fmt.Errorf("%s on %s: %w", a.Name, g.Name, err)
			default:
				figures.Rows = append(figures.Rows, row)
			}
		}
		figures.Compare()
		r.Graphs = append(r.Graphs, figures)
	}
	return r, nil
}

// onGraph is the measurement of one algorithm on one graph.
type onGraph struct {
	Plan
	g *lab.Graph
	a Algorithm
	w lab.Watcher
}

// measure colours once, untimed, on the first machine that does, and then as often as was asked for.
func (o onGraph) measure(ctx context.Context, machines []Machine) (row lab.Row, err error) {
	for _, m := range machines {
		if _, err = m.Color(o.a); err == nil {
			return o.on(ctx, m)
		}
		if !errors.Is(err, lab.ErrLeftOut) {
			return row, err
		}
	}
	return row, err
}

func (o onGraph) on(ctx context.Context, m Machine) (row lab.Row, err error) {
	row = lab.Row{Strategy: o.a.Strategy, Machine: m.Name(), Coloring: &lab.Coloring{}}
	o.w.Step(o.g.Name+": "+o.a.Name, int64(o.Runs))
	var first []uint32
	for i := range o.Runs {
		if err := context.Cause(ctx); err != nil {
			return row, err
		}
		measures, err := m.Color(o.a)
		if err != nil {
			return row, err
		}
		colors, err := m.Colors()
		if err != nil {
			return row, err
		}
		count, fault := validate(o.g, colors, o.a.Greedy)
		if first == nil {
			first = slices.Clone(colors)
		} else if fault == "" && o.a.Deterministic && !slices.Equal(first, colors) {
			fault = "other colours than in the first run"
		}
		if fault != "" {
			row.Fault = fmt.Sprintf("run %d: %s", i+1, fault)
			return row, nil
		}
		row.Coloring.Runs = append(row.Coloring.Runs, lab.ColoringRun{Seconds: measures.Seconds, Colors: count,
			Rounds: measures.Rounds, Conflicts: measures.Conflicts})
		o.w.Advance(int64(i + 1))
	}
	summarise(&row, len(o.g.Columns))
	return row, nil
}

// summarise derives the figures of a row from its runs.
func summarise(row *lab.Row, edges int) {
	var seconds, perEdge, colors, rounds, conflicts []float64
	for _, r := range row.Coloring.Runs {
		seconds = append(seconds, r.Seconds)
		perEdge = append(perEdge, r.Seconds/float64(max(edges, 1)))
		colors = append(colors, float64(r.Colors))
		rounds = append(rounds, float64(r.Rounds))
		conflicts = append(conflicts, float64(r.Conflicts))
	}
	summary, rates := record.SummaryOf(seconds), record.RatesOf(perEdge)
	row.Seconds, row.Directed = &summary, &rates
	row.Coloring.Colors = record.SummaryOf(colors).Mean
	row.Coloring.Rounds = record.SummaryOf(rounds).Mean
	row.Coloring.Conflicts = record.SummaryOf(conflicts).Mean
}
