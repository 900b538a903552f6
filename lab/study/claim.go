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
)

// Claim is a published figure of a strategy. The figure is one number, a range, a lower bound or an upper bound.
type Claim struct {
	Says      string    `toml:"says" json:"says"`               // the claim, in our words
	Place     string    `toml:"place" json:"place"`             // figure, table or section
	Figure    string    `toml:"figure" json:"figure"`           // a key of figures
	Of        string    `toml:"of" json:"of"`                   // the strategy
	Over      string    `toml:"over" json:"over,omitempty"`     // the strategy by whose figure it is divided; "" for none
	Graphs    []string  `toml:"graphs" json:"graphs,omitempty"` // names; empty for all graphs of the study
	Mean      bool      `toml:"mean" json:"mean,omitempty"`     // compare the geometric mean over the graphs
	Published []float64 `toml:"published" json:"published,omitempty"`
	AtLeast   float64   `toml:"at_least" json:"at_least,omitempty"`
	AtMost    float64   `toml:"at_most" json:"at_most,omitempty"`
	Factor    float64   `toml:"factor" json:"factor,omitempty"` // 0 for the factor of the study
}

// figures are the figures that can be compared. A figure is 0 if the machine does not count it.
var figures = map[string]func(lab.Row) float64{
	"rate":      func(r lab.Row) float64 { return r.Directed.HarmonicMean }, // directed edges per second
	"inspected": func(r lab.Row) float64 { return r.InspectedShare },        // edges, per edge of a reached vertex
	"repeated":  func(r lab.Row) float64 { return r.RepeatedShare },         // expansions, per reached vertex
	"colors":    func(r lab.Row) float64 { return cmp.Or(r.Coloring, &lab.Coloring{}).Colors },
	"rounds":    func(r lab.Row) float64 { return cmp.Or(r.Coloring, &lab.Coloring{}).Rounds },
	"conflicts": func(r lab.Row) float64 { return cmp.Or(r.Coloring, &lab.Coloring{}).Conflicts },
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
	switch {
	case c.Says == "" || c.Place == "":
		return errors.New("give the claim (says) and its place in the paper (place)")
	case figures[c.Figure] == nil:
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

// of returns the figure of the claim on a graph, or the reason why there is none.
func (c Claim) of(g lab.GraphFigures) (figure float64, reason string) {
	if figure, reason = figureOf(g, c.Of, c.Figure); reason != "" || c.Over == "" {
		return figure, reason
	}
	base, reason := figureOf(g, c.Over, c.Figure)
	if reason != "" {
		return 0, reason
	}
	return figure / base, ""
}

// figureOf returns the figure of a strategy on a graph, or the reason why there is none.
func figureOf(g lab.GraphFigures, strategy, figure string) (float64, string) {
	if i := slices.IndexFunc(g.LeftOut, func(l lab.LeftOut) bool { return l.Strategy == strategy }); i >= 0 {
		return 0, fmt.Sprintf("%s was left out, since %s", strategy, g.LeftOut[i].Reason)
	}
	i := slices.IndexFunc(g.Rows, func(r lab.Row) bool { return r.Strategy.Name == strategy })
	switch {
	case i < 0:
		return 0, strategy + " was not measured"
	case g.Rows[i].Fault != "":
		return 0, fmt.Sprintf("%s found a wrong result", strategy)
	case g.Rows[i].Full:
		return 0, fmt.Sprintf("duplicates filled a queue of %s", strategy)
	}
	value := figures[figure](g.Rows[i])
	if value == 0 {
		return 0, fmt.Sprintf("%s of %s is 0 or not counted", figure, strategy)
	}
	return value, ""
}
