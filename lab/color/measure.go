// SPDX-License-Identifier: Apache-2.0

package color

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"g500/lab"
)

// Plan is the set of measurements.
type Plan struct {
	lab.Graphs
	Algorithms []Algorithm
	Runs       int
}

// Measure colours each graph Runs times with each algorithm, on the first machine that runs the algorithm. A wrong
// colouring is no error: the report has it.
func Measure(ctx context.Context, p Plan, machines []Machine, w lab.Watcher) (*lab.Report, error) {
	r, err := lab.ReportOf(ctx, p.Graphs, machines, w, func(g *lab.Graph) (lab.GraphFigures, error) {
		figures := lab.FiguresOf(g)
		if !g.Symmetric {
			return figures, fmt.Errorf("color: %s is directed: choose an undirected graph", g.Name)
		}
		steps := lab.NewSteps(w, g.Name+": colouring", len(p.Algorithms), p.Runs)
		for _, a := range p.Algorithms {
			row, err := onGraph{p, g, a, steps}.measure(ctx, machines)
			if errors.Is(err, lab.ErrLeftOut) {
				steps.LeaveOut()
			}
			if err := figures.Add(a.Name, row, err); err != nil {
				return figures, err
			}
		}
		return figures, nil
	})
	if err != nil {
		return nil, err
	}
	r.Validated = true
	return r, nil
}

// onGraph is the measurement of one algorithm on one graph.
type onGraph struct {
	Plan
	g     *lab.Graph
	a     Algorithm
	steps *lab.Steps
}

// measure colours once without measuring, and then Runs times.
func (o onGraph) measure(ctx context.Context, machines []Machine) (row lab.Row, err error) {
	m, err := lab.First(machines, func(m Machine) error {
		_, err := m.Color(o.a)
		return err
	})
	if err != nil {
		return row, err
	}
	row = lab.Row{Strategy: o.a.Strategy, Machine: m.Name(), Coloring: &lab.Coloring{}}
	var first []uint32
	for i := range o.Runs {
		if err := context.Cause(ctx); err != nil {
			return row, err
		}
		run, err := m.Color(o.a)
		if err != nil {
			return row, err
		}
		colors, err := m.Colors()
		if err != nil {
			return row, err
		}
		var fault string
		run.Colors, fault = validate(o.g, colors, o.a.Greedy)
		if first == nil {
			first = slices.Clone(colors)
		} else if fault == "" && o.a.Deterministic && !slices.Equal(first, colors) {
			fault = "other colours than in the first run"
		}
		if fault != "" {
			row.Fault = fmt.Sprintf("run %d: %s", i+1, fault)
			o.steps.Skip(o.Runs - i)
			return row, nil
		}
		row.Coloring.Runs = append(row.Coloring.Runs, run)
		o.steps.Next()
	}
	summarise(&row, int64(len(o.g.Columns)))
	return row, nil
}

// summarise computes the figures of a row from its runs.
func summarise(row *lab.Row, edges int64) {
	var seconds []float64
	var colors, rounds int
	var conflicts int64
	c := row.Coloring
	for _, r := range c.Runs {
		seconds = append(seconds, r.Seconds)
		colors, rounds, conflicts = colors+r.Colors, rounds+r.Rounds, conflicts+r.Conflicts
	}
	n := float64(len(c.Runs))
	c.Colors, c.Rounds, c.Conflicts = float64(colors)/n, float64(rounds)/n, float64(conflicts)/n
	row.SetTimes(seconds, func(int) int64 { return edges })
}
