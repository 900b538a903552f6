// SPDX-License-Identifier: Apache-2.0

package color

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"g500/lab"
)

// Measure colours each graph p.Runs times with each algorithm, on the first machine that runs the algorithm. The
// algorithms take turns. A wrong colouring is no error: the report has it. With lab.ErrUnfinished and after a signal,
// the report has the figures so far.
func Measure(ctx context.Context, p lab.Plan, machines []lab.Machine, w lab.Watcher) (*lab.Report, error) {
	r, err := lab.ReportOf(ctx, p.Graphs, machines, w, func(g *lab.Graph) (lab.GraphFigures, error) {
		if !g.Symmetric {
			return lab.GraphFigures{}, fmt.Errorf("color: %s is directed: choose an undirected graph", g.Name)
		}
		one := onGraph{Plan: p, g: g, figures: lab.FiguresOf(g, p.Before), first: map[*lab.Turn][]uint32{}}
		err := one.measure(ctx, machines, w)
		return one.soFar(), err
	})
	r.Validated = true
	return r, err
}

// onGraph is the measurement of one graph.
type onGraph struct {
	lab.Plan
	g       *lab.Graph
	figures lab.GraphFigures       // without rows
	first   map[*lab.Turn][]uint32 // colours of the first run of this call
	turns   lab.Turns
}

// measure colours once without measuring, and then Runs times.
func (o *onGraph) measure(ctx context.Context, machines []lab.Machine, w lab.Watcher) error {
	o.turns = lab.Turns{Name: o.g.Name + ": colouring", To: o.Runs, Source: func(int) uint32 { return 0 },
		Begin: func(int) error { return nil }, Record: o.record, Figures: o.soFar}
	for _, a := range o.Strategies {
		turn, err := o.turns.Start(&o.figures, o.Before, a, machines)
		if err != nil {
			return err
		}
		if turn != nil {
			turn.Strategy.Settings = nil // users have no settings of algorithms
			turn.Coloring = cmp.Or(turn.Coloring, &lab.Coloring{})
		}
	}
	return o.Rounds.Run(ctx, &o.figures, w, o.turns)
}

// record validates a colouring, and adds it to the row.
func (o *onGraph) record(turn *lab.Turn, round int, measures lab.Measures) error {
	result, err := turn.On.Result()
	if err != nil {
		return err
	}
	run := measures.Coloring
	var fault string
	run.Colors, fault = validate(o.g, result.Colors, turn.By.Of("greedy") != "")
	if o.first[turn] == nil {
		o.first[turn] = slices.Clone(result.Colors)
	} else if fault == "" && turn.By.Of("deterministic") != "" && !slices.Equal(o.first[turn], result.Colors) {
		fault = "other colours than in the first run"
	}
	if fault != "" {
		turn.Fault = fmt.Sprintf("run %d: %s", round+1, fault)
		return nil
	}
	run.Seconds = measures.Seconds
	turn.Coloring.Runs = append(turn.Coloring.Runs, run)
	return nil
}

// soFar returns the figures of the colourings so far.
func (o *onGraph) soFar() lab.GraphFigures {
	return o.figures.With(o.turns.All, func(row *lab.Row) { summarise(row, int64(len(o.g.Columns))) })
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
