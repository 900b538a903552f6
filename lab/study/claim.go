// SPDX-License-Identifier: Apache-2.0

package study

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"g500/lab"
)

// Claim is a published figure of a strategy. The figure is one number, a range, a lower bound or an upper bound.
type Claim struct {
	Says   string `toml:"says" json:"says"`           // the claim, in our words
	Place  string `toml:"place" json:"place"`         // figure, table or section
	Figure string `toml:"figure" json:"figure"`       // a key of figures
	Of     string `toml:"of" json:"of"`               // the strategy
	Over   string `toml:"over" json:"over,omitempty"` // the strategy by whose figure it is divided; "" for none

	Graphs   []string `toml:"graphs" json:"graphs,omitempty"`               // names; empty for all graphs of the study
	Families []string `toml:"families" json:"families,omitempty"`           // that the paper names; empty for all
	Vertices int64    `toml:"vertices_from" json:"vertices_from,omitempty"` // a smaller graph gets no verdict
	Mean     bool     `toml:"mean" json:"mean,omitempty"`                   // compare the geometric mean over graphs

	Published []float64 `toml:"published" json:"published,omitempty"`
	AtLeast   float64   `toml:"at_least" json:"at_least,omitempty"`
	AtMost    float64   `toml:"at_most" json:"at_most,omitempty"`
	Factor    float64   `toml:"factor" json:"factor,omitempty"` // 0 for the factor of the study
}

// figures are the figures that can be compared: of a search, nil if searches have none, and of a colouring run.
var figures = map[string]struct {
	search func(lab.Search) float64
	run    func(lab.ColoringRun) float64
}{
	"rate": {func(s lab.Search) float64 { return float64(s.DirectedEdges) / s.Seconds },
		func(r lab.ColoringRun) float64 { return 1 / r.Seconds }}, // per edge of the graph
	"inspected": {search: func(s lab.Search) float64 { return float64(s.Inspected) / float64(s.DirectedEdges) }},
	"repeated":  {search: func(s lab.Search) float64 { return float64(s.Repeated) / float64(s.Reached) }},
	"missed": {search: func(s lab.Search) float64 { // false negatives of lookups, per edge that they should find
		return float64(s.Repeated) / float64(s.DirectedEdges-s.Reached)
	}},
	"colors":    {run: func(r lab.ColoringRun) float64 { return float64(r.Colors) }},
	"rounds":    {run: func(r lab.ColoringRun) float64 { return float64(r.Rounds) }},
	"conflicts": {run: func(r lab.ColoringRun) float64 { return float64(r.Conflicts) }},
}

// check returns the first fault of a claim.
func (c Claim) check(strategies []lab.Strategy, graphs []string) error {
	names := []string{""}
	for _, s := range strategies {
		names = append(names, s.Name)
	}
	absent := func(given bool) bool { return !given }
	bounds := slices.DeleteFunc([]bool{len(c.Published) > 0, c.AtLeast > 0, c.AtMost > 0}, absent)
	low, high := c.bounds()
	_, known := figures[c.Figure]
	switch {
	case c.Says == "" || c.Place == "":
		return errors.New("give the claim (says) and its place in the paper (place)")
	case !known:
		return fmt.Errorf("figure = %q is unknown: choose %s", c.Figure,
			strings.Join(slices.Sorted(maps.Keys(figures)), ", "))
	case c.Of == "" || c.Figure == "rate" && c.Over == "":
		return errors.New("name the strategy of the figure (of), and for a rate the strategy to compare it with (over)")
	case len(bounds) != 1 || len(c.Published) > 2 || low > high || low < 0:
		return errors.New("give one of published = [4.2], published = [2, 37.5], at_least = 2 and at_most = 1.05")
	case c.Factor != 0 && c.Factor < 1:
		return fmt.Errorf("factor = %g: choose 1 or more", c.Factor)
	}
	for _, name := range []string{c.Of, c.Over} {
		if !slices.Contains(names, name) {
			return fmt.Errorf("strategy %s is not in the study: add it to its strategies", name)
		}
	}
	for _, name := range c.Graphs {
		if !slices.Contains(graphs, name) {
			return fmt.Errorf("graph %q is not in the study, which has %s", name, strings.Join(graphs, ", "))
		}
	}
	return nil
}

// bounds returns the ends of the published range; 0 and infinity for a missing bound.
func (c Claim) bounds() (low, high float64) {
	switch {
	case len(c.Published) > 0:
		return c.Published[0], c.Published[len(c.Published)-1]
	case c.AtLeast > 0:
		return c.AtLeast, math.Inf(1)
	}
	return 0, c.AtMost
}

// PublishedText returns the published figure as text.
func (c Claim) PublishedText() string {
	switch low, high := c.bounds(); {
	case low == high:
		return fmt.Sprintf("%.4g", low)
	case math.IsInf(high, 1):
		return fmt.Sprintf("at least %.4g", low)
	case low == 0:
		return fmt.Sprintf("at most %.4g", high)
	default:
		return fmt.Sprintf("%.4g to %.4g", low, high)
	}
}

// of returns the logarithms of the claim's figure on a graph, or the reason why there are none.
func (c Claim) of(g lab.GraphFigures) (sample, error) {
	if g.Vertices < c.Vertices {
		return nil, errTooSmall
	}
	of, err := c.rowOf(g, c.Of)
	if err != nil {
		return nil, err
	}
	x, err := c.logs(of)
	if err != nil || c.Over == "" {
		return sample{{1, x}}, err
	}
	over, err := c.rowOf(g, c.Over)
	if err != nil {
		return nil, err
	}
	y, err := c.logs(over)
	switch {
	case err != nil:
		return nil, err
	case c.Figure == "rate" && of.Machine != over.Machine:
		return nil, fmt.Errorf("%s and %s ran on two machines", c.Of, c.Over)
	case of.Coloring != nil:
		return sample{{1, x}, {-1, y}}, nil
	}
	x = x[:min(len(x), len(y))] // a slower strategy may have searched from fewer sources
	for i := range x {
		x[i] -= y[i]
	}
	return sample{{1, x}}, nil
}

// rowOf returns the row of a strategy on a graph, or the reason why it has no figures.
func (c Claim) rowOf(g lab.GraphFigures, strategy string) (row lab.Row, err error) {
	if i := slices.IndexFunc(g.LeftOut, func(l lab.LeftOut) bool { return l.Strategy == strategy }); i >= 0 {
		return row, fmt.Errorf("%s was left out, since %s", strategy, g.LeftOut[i].Reason)
	}
	i := slices.IndexFunc(g.Rows, func(r lab.Row) bool { return r.Strategy.Name == strategy })
	if i < 0 {
		return row, fmt.Errorf("%s was not measured", strategy)
	}
	switch row = g.Rows[i]; {
	case row.Fault != "":
		return row, fmt.Errorf("%s found a wrong result", strategy)
	case row.Full:
		return row, fmt.Errorf("duplicates filled a queue of %s", strategy)
	case len(row.Shares) > row.GPUs():
		return row, fmt.Errorf("several shares of %s were on one GPU", strategy)
	case len(row.Searches) == 0 && (row.Coloring == nil || len(row.Coloring.Runs) == 0):
		return row, errors.New("no times by source are stored, so ratios cannot be paired")
	}
	return row, nil
}

// logs returns the logarithms of the claim's figure, by source or by run.
func (c Claim) logs(row lab.Row) (logs []float64, err error) {
	figure := figures[c.Figure]
	add := func(x float64) {
		if logs = append(logs, math.Log(x)); !(x > 0) {
			err = fmt.Errorf("%s of %s is 0 or not counted", c.Figure, row.Strategy.Name)
		}
	}
	if row.Coloring != nil && figure.run != nil {
		for _, run := range row.Coloring.Runs {
			add(figure.run(run))
		}
	} else if row.Coloring == nil && figure.search != nil {
		for _, s := range row.Searches {
			if s.Counts == nil {
				s.Counts = &lab.Counts{}
			}
			add(figure.search(s))
		}
	} else {
		err = fmt.Errorf("%s of %s is 0 or not counted", c.Figure, row.Strategy.Name)
	}
	return logs, err
}
