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
	all      []*running
}

// running is an algorithm during its measurement.
type running struct {
	*lab.Row
	a       Algorithm
	machine Machine
	short   bool     // runs, of which each follows an untimed one
	first   []uint32 // colours of the first run of this call
}

// measure colours once without measuring, and then Runs times.
func (o *onGraph) measure(ctx context.Context, w lab.Watcher) error {
	t := lab.Turns{Name: o.g.Name + ": colouring", To: o.Runs, Figures: o.soFar}
	for _, a := range o.Algorithms {
		short := false
		row, m, err := lab.Start(&o.figures, o.Before, a.Strategy, o.machines, func(m Machine) (err error) {
			short, err = lab.Warm(func() (float64, error) {
				first, err := m.Color(a)
				return first.Seconds, err
			})
			return err
		})
		if err != nil {
			return err
		}
		if row != nil {
			row.Coloring = cmp.Or(row.Coloring, &lab.Coloring{})
			one := &running{Row: row, a: a, machine: m, short: short}
			o.all, t.Rows = append(o.all, one), append(t.Rows, row)
		}
	}
	t.Prepare = func(int) error { return nil }
	t.Run = func(round, i int) error { return o.color(o.all[i], round) }
	return o.Rounds.Run(ctx, &o.figures, w, t)
}

// color colours once, unless an earlier colouring was wrong.
func (o *onGraph) color(one *running, round int) error {
	if one.Ended() {
		return nil
	}
	if one.short {
		if _, err := one.machine.Color(one.a); err != nil {
			return one.Failed(err)
		}
	}
	run, err := one.machine.Color(one.a)
	if err != nil {
		return one.Failed(err)
	}
	colors, err := one.machine.Colors()
	if err != nil {
		return one.Failed(err)
	}
	var fault string
	run.Colors, fault = validate(o.g, colors, one.a.Greedy)
	if one.first == nil {
		one.first = slices.Clone(colors)
	} else if fault == "" && one.a.Deterministic && !slices.Equal(one.first, colors) {
		fault = "other colours than in the first run"
	}
	if fault != "" {
		one.Fault = fmt.Sprintf("run %d: %s", round+1, fault)
		return nil
	}
	one.Coloring.Runs = append(one.Coloring.Runs, run)
	return nil
}

// soFar returns the figures of the colourings so far.
func (o *onGraph) soFar() lab.GraphFigures {
	f := o.figures
	for _, one := range o.all {
		if one.Seconds, one.Directed = nil, nil; !one.Ended() && len(one.Coloring.Runs) > 0 {
			summarise(one.Row, int64(len(o.g.Columns)))
		}
		f.Rows = append(f.Rows, *one.Row)
	}
	return f
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
