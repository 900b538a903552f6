// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"g500/lab"
	"g500/record"
)

// Claim is a published figure of a strategy. The figure is one number, a range, a lower bound or an upper bound.
type Claim struct {
	Says   string `toml:"says" json:"says"`               // the claim, in our words
	Place  string `toml:"place" json:"place"`             // figure, table or section
	Figure string `toml:"figure" json:"figure"`           // a key of figures
	Of     string `toml:"of" json:"of"`                   // the strategy
	Over   string `toml:"over" json:"over,omitempty"`     // the strategy by whose figure it is divided; "" for none
	Across bool   `toml:"across" json:"across,omitempty"` // compare a GPU with cores

	Graphs   []string `toml:"graphs" json:"graphs,omitempty"`               // names; empty for all graphs of the study
	Families []string `toml:"families" json:"families,omitempty"`           // that the paper names; empty for all
	Vertices int64    `toml:"vertices_from" json:"vertices_from,omitempty"` // a smaller graph gets no verdict
	Mean     bool     `toml:"mean" json:"mean,omitempty"`                   // compare the geometric mean over graphs

	Published []float64 `toml:"published" json:"published,omitempty"`
	AtLeast   float64   `toml:"at_least" json:"at_least,omitempty"`
	AtMost    float64   `toml:"at_most" json:"at_most,omitempty"`
	Factor    float64   `toml:"factor" json:"factor,omitempty"` // of a single number; 0 for the factor of the study

	Requires []Condition `toml:"requires" json:"requires,omitempty"` // that the mechanism of the claim ran
}

// Condition is a bound of a mean counter on a graph, without which a claim has no verdict there.
type Condition struct {
	Figure  string  `toml:"figure" json:"figure"`
	Of      string  `toml:"of" json:"of,omitempty"`     // "" for both strategies of the claim
	Over    string  `toml:"over" json:"over,omitempty"` // by whose figure it is divided; "" for none
	AtLeast float64 `toml:"at_least" json:"at_least,omitempty"`
	AtMost  float64 `toml:"at_most" json:"at_most,omitempty"`
}

// rate is the figure that depends on the machine and its load. All others are counted.
const rate = "rate"

// figures are the figures that can be compared: of a search, nil if searches have none, and of a colouring run.
var figures = map[string]struct {
	search func(lab.Search) float64
	run    func(lab.ColoringRun) float64
}{
	rate: {func(s lab.Search) float64 { return float64(s.DirectedEdges) / s.Seconds },
		func(r lab.ColoringRun) float64 { return 1 / r.Seconds }}, // per edge of the graph
	"launches":  {search: func(s lab.Search) float64 { return float64(s.Launches) }}, // of kernels
	"expanded":  {search: func(s lab.Search) float64 { return float64(s.Vertices) / float64(s.Reached) }},
	"hits":      {search: func(s lab.Search) float64 { return float64(s.CacheHits) / float64(s.Inspected) }},
	"switched":  {search: func(s lab.Search) float64 { return s.Switched }},
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
	names := append(lab.Strategies(strategies).Names(), "")
	absent := func(given bool) bool { return !given }
	bounds := slices.DeleteFunc([]bool{len(c.Published) > 0, c.AtLeast > 0, c.AtMost > 0}, absent)
	low, high := c.bounds()
	switch {
	case c.Says == "" || c.Place == "":
		return errors.New("give the claim (says) and its place in the paper (place)")
	case c.Of == "" || c.Figure == rate && c.Over == "":
		return errors.New("name the strategy of the figure (of), and for a rate the strategy to compare it with (over)")
	case len(bounds) != 1 || len(c.Published) > 2 || low > high || low < 0:
		return errors.New("give one of published = [4.2], published = [2, 37.5], at_least = 2 and at_most = 1.05")
	case c.Factor != 0 && (c.Factor < 1 || len(c.Published) != 1):
		return fmt.Errorf("factor = %g: choose 1 or more for a single published number; bounds have no factor", c.Factor)
	}
	all := append(slices.Clip(c.Requires), Condition{c.Figure, c.Of, c.Over, 1, 0})
	for _, r := range all {
		if _, known := figures[r.Figure]; !known || (r.AtLeast > 0) == (r.AtMost > 0) {
			return fmt.Errorf("figure = %q, at_least = %g, at_most = %g: choose a figure of %s, and in requires one bound",
				r.Figure, r.AtLeast, r.AtMost, strings.Join(slices.Sorted(maps.Keys(figures)), ", "))
		}
		for _, name := range []string{r.Of, r.Over} {
			if !slices.Contains(names, name) {
				return fmt.Errorf("strategy %s is not in the study: add it to its strategies or plugins", name)
			}
		}
	}
	for _, name := range c.Graphs {
		if !slices.Contains(graphs, name) {
			return fmt.Errorf("graph %q is not in the study, which has %s", name, strings.Join(graphs, ", "))
		}
	}
	return nil
}

// isOn reports whether the claim is about a graph.
func (c Claim) isOn(g Graph) bool {
	return (len(c.Graphs) == 0 || slices.Contains(c.Graphs, g.Name)) &&
		(len(c.Families) == 0 || slices.Contains(c.Families, g.Family))
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

// PublishedText returns the published figure as text, "" for identical programs.
func (c Claim) PublishedText() string {
	switch low, high := c.bounds(); {
	case high == 0:
		return ""
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
func (c Claim) of(g lab.GraphFigures) ([]float64, error) {
	if g.Vertices < c.Vertices {
		return nil, errors.New("the graph is smaller than the claim requires")
	}
	x, y, err := c.values(g)
	if err != nil {
		return nil, err
	}
	logs := make([]float64, min(len(x), len(y))) // one may have been interrupted
	for i := range logs {
		if logs[i] = math.Log(x[i] / y[i]); math.IsNaN(logs[i]) || math.IsInf(logs[i], 0) {
			why := map[bool]string{true: "is 0", false: "was not measured"}[x[i]*y[i] == 0]
			return nil, fmt.Errorf("%s %s", c.FigureText(), why)
		}
	}
	if len(logs) == 0 {
		return nil, fmt.Errorf("%s was not measured", c.FigureText())
	}
	return logs, nil
}

// values returns the figures of the two strategies on a graph by source or run, ones without a second strategy.
func (c Claim) values(g lab.GraphFigures) (x, y []float64, err error) {
	of, err := rowOf(g, c.Of)
	if err != nil {
		return nil, nil, err
	}
	x = valuesOf(of, c.Figure)
	if c.Over == "" {
		return x, slices.Repeat([]float64{1}, len(x)), nil
	}
	over, err := rowOf(g, c.Over)
	if err == nil && c.Figure == rate && !c.Across && of.Machine != over.Machine {
		err = fmt.Errorf("%s and %s ran on two machines", c.Of, c.Over)
	}
	return x, valuesOf(over, c.Figure), err
}

// FigureText names the figure of the claim.
func (c Claim) FigureText() string { return c.Figure + " of " + ratio(c.Of, c.Over) }

// ratio names a strategy, over another one if this is not "".
func ratio(of, over string) string {
	if over == "" {
		return of
	}
	return of + " over " + over
}

// unmet returns the reason why a condition of the claim does not hold on a graph, "" if all do.
func (c Claim) unmet(g lab.GraphFigures) string {
	for _, r := range c.Requires {
		of := []string{c.Of, c.Over}
		if r.Of != "" || c.Over == "" {
			of = []string{cmp.Or(r.Of, c.Of)}
		}
		for _, name := range of {
			bound := Claim{Figure: r.Figure, Of: name, Over: r.Over, Across: true, AtLeast: r.AtLeast, AtMost: r.AtMost}
			x, y, err := bound.values(g)
			if err != nil {
				return err.Error()
			}
			low, high := bound.bounds()
			if mean := record.Mean(x) / record.Mean(y); !(mean >= low && mean <= high) {
				return fmt.Sprintf("%s is %s, and must be %s", bound.FigureText(), short(mean), bound.PublishedText())
			}
		}
	}
	return ""
}

// full is the error of a figure of a strategy whose queue was filled by duplicates.
type full struct{ strategy string }

func (f full) Error() string { return "duplicates filled a queue of " + f.strategy }

// rowOf returns the row of a strategy on a graph, or the reason why it has no figures.
func rowOf(g lab.GraphFigures, strategy string) (row lab.Row, err error) {
	if i := slices.IndexFunc(g.LeftOut, func(l lab.LeftOut) bool { return l.Strategy == strategy }); i >= 0 {
		return row, fmt.Errorf("%s was left out, since %s", strategy, g.LeftOut[i].Reason)
	}
	found := g.Row(strategy)
	if found == nil {
		return row, fmt.Errorf("%s was not measured", strategy)
	}
	switch row = *found; {
	case row.Fault != "":
		return row, fmt.Errorf("%s found a wrong result", strategy)
	case row.Full:
		return row, full{strategy}
	case len(row.Shares) > row.GPUs():
		return row, fmt.Errorf("several shares of %s were on one GPU", strategy)
	case len(row.Searches) == 0 && (row.Coloring == nil || len(row.Coloring.Runs) == 0):
		return row, errors.New("no single searches are stored")
	}
	return row, nil
}

// valuesOf returns a figure of a row by source or by run; none for one that it does not have, NaN if not counted.
func valuesOf(row lab.Row, name string) (all []float64) {
	figure := figures[name]
	if row.Coloring != nil && figure.run != nil {
		for _, run := range row.Coloring.Runs {
			all = append(all, figure.run(run))
		}
	}
	if row.Coloring == nil && figure.search != nil {
		for _, s := range row.Searches {
			if all = append(all, math.NaN()); s.Counts != nil || name == rate {
				all[len(all)-1] = figure.search(s)
			}
		}
	}
	return all
}
