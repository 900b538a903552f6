// SPDX-License-Identifier: Apache-2.0

package color

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"g500/lab"
)

// Plan is the set of measurements.
type Plan struct {
	lab.Graphs
	Algorithms []Algorithm
	Runs       int
	lab.Rounds // one per run
}

// Measure colours each graph Runs times with each algorithm, on the first machine that runs the algorithm. The
// algorithms take turns. A wrong colouring is no error: the report has it. With lab.ErrUnfinished and after a signal,
// the report has the figures so far.
func Measure(ctx context.Context, p Plan, machines []Machine, w lab.Watcher) (*lab.Report, error) {
	r, err := lab.ReportOf(ctx, p.Graphs, machines, w, func(g *lab.Graph) (lab.GraphFigures, error) {
		if !g.Symmetric {
			return lab.GraphFigures{}, fmt.Errorf("color: %s is directed: choose an undirected graph", g.Name)
		}
		one := onGraph{Plan: p, g: g, machines: machines, figures: lab.FiguresOf(g, p.Before)}
		err := one.measure(ctx, w)
		return one.soFar(), err
	})
	r.Validated = true
	return r, err
}

// onGraph is the measurement of one graph.
type onGraph struct {
	Plan
	g        *lab.Graph
	machines []Machine
	figures  lab.GraphFigures // without rows
	turns    []*lab.Turn
}

// measure colours once without measuring, and then Runs times.
func (o *onGraph) measure(ctx context.Context, w lab.Watcher) error {
	for _, a := range o.Algorithms {
		turn, err := lab.Start(&o.figures, o.Before, a.Strategy, o.machines, func(m Machine, row *lab.Row) *lab.Turn {
			var first []uint32 // colours of the first run of this call
			return &lab.Turn{Prepare: func() error { return nil },
				Untimed: func(int) (float64, error) {
					run, err := m.Color(a)
					return run.Seconds, err
				},
				Run: func(round int) error { return o.color(m, a, row, round, &first) }}
		})
		if err != nil {
			return err
		}
		if turn != nil {
			turn.Coloring = cmp.Or(turn.Coloring, &lab.Coloring{})
			o.turns = append(o.turns, turn)
		}
	}
	return o.Rounds.Run(ctx, &o.figures, w, lab.Turns{Name: o.g.Name + ": colouring", To: o.Runs, Figures: o.soFar,
		All: o.turns, Begin: func(int) error { return nil }})
}

// color colours once, and adds the colouring to the row. first are the colours of the first run.
func (o *onGraph) color(m Machine, a Algorithm, row *lab.Row, round int, first *[]uint32) error {
	run, err := m.Color(a)
	if err != nil {
		return err
	}
	colors, err := m.Colors()
	if err != nil {
		return err
	}
	var fault string
	run.Colors, fault = validate(o.g, colors, a.Greedy)
	if *first == nil {
		*first = slices.Clone(colors)
	} else if fault == "" && a.Deterministic && !slices.Equal(*first, colors) {
		fault = "other colours than in the first run"
	}
	if fault != "" {
		row.Fault = fmt.Sprintf("run %d: %s", round+1, fault)
		return nil
	}
	row.Coloring.Runs = append(row.Coloring.Runs, run)
	return nil
}

// soFar returns the figures of the colourings so far.
func (o *onGraph) soFar() lab.GraphFigures {
	return o.figures.With(o.turns, func(row *lab.Row) { summarise(row, int64(len(o.g.Columns))) })
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
