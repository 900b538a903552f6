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

// Claim is a published figure, and what it is compared with. The published figure is one number, or the ends of a
// range; or only its lower or its upper bound.
type Claim struct {
	Says      string    `toml:"says" json:"says"`               // what the paper says, in our words
	Place     string    `toml:"place" json:"place"`             // figure, table or section
	Figure    string    `toml:"figure" json:"figure"`           // a key of figures
	Of        string    `toml:"of" json:"of"`                   // the strategy that has the figure
	Over      string    `toml:"over" json:"over,omitempty"`     // the one whose figure it is divided by; "" for none
	Graphs    []string  `toml:"graphs" json:"graphs,omitempty"` // by name; none for all of the study
	Mean      bool      `toml:"mean" json:"mean,omitempty"`     // of all graphs, geometric
	Published []float64 `toml:"published" json:"published,omitempty"`
	AtLeast   float64   `toml:"at_least" json:"at_least,omitempty"`
	AtMost    float64   `toml:"at_most" json:"at_most,omitempty"`
	Factor    float64   `toml:"factor" json:"factor,omitempty"` // 0 for that of the study
}

// figures are what can be compared. They are 0 where a machine does not count.
var figures = map[string]func(lab.Row) float64{
	"rate":      func(r lab.Row) float64 { return r.Directed.HarmonicMean }, // directed edges a second
	"inspected": func(r lab.Row) float64 { return r.InspectedShare },        // edges, per edge of the reached vertices
	"repeated":  func(r lab.Row) float64 { return r.RepeatedShare },         // expansions, per reached vertex
	"colors":    func(r lab.Row) float64 { return coloringOf(r).Colors },
	"rounds":    func(r lab.Row) float64 { return coloringOf(r).Rounds },
	"conflicts": func(r lab.Row) float64 { return coloringOf(r).Conflicts },
}

// coloringOf is all 0 where the graph was searched.
func coloringOf(r lab.Row) lab.Coloring {
	if r.Coloring == nil {
		return lab.Coloring{}
	}
	return *r.Coloring
}

func (c Claim) check(strategies []lab.Strategy, graphs []string) error {
	names := []string{""}
	for _, s := range strategies {
		names = append(names, s.Name)
	}
	given := 0
	for _, is := range []bool{len(c.Published) > 0, c.AtLeast > 0, c.AtMost > 0} {
		if is {
			given++
		}
	}
	low, high := c.bounds()
	switch {
	case c.Says == "" || c.Place == "":
		return errors.New("give what the paper says (says), and where (place)")
	case figures[c.Figure] == nil:
		return fmt.Errorf("figure = %q is none: choose %s", c.Figure,
			strings.Join(slices.Sorted(maps.Keys(figures)), ", "))
	case c.Of == "" || c.Figure == "rate" && c.Over == "":
		return errors.New("name the strategy that has the figure (of), and with a rate the one that it is compared with " +
			"(over)")
	case given != 1 || len(c.Published) > 2 || low > high || low < 0:
		return errors.New("give one of published = [4.2], published = [2, 37.5], at_least = 2 and at_most = 1.05")
	case c.Factor != 0 && c.Factor < 1:
		return fmt.Errorf("factor = %g: choose 1 or more", c.Factor)
	}
	if name, is := unknown([]string{c.Of, c.Over}, names); is {
		return fmt.Errorf("strategy %s is none of the study: add it to its strategies", name)
	}
	if name, is := unknown(c.Graphs, graphs); is {
		return fmt.Errorf("graph %q is none of the study, which has %s", name, strings.Join(graphs, ", "))
	}
	return nil
}

// bounds are the ends of what is published: 0 and infinity where it has none.
func (c Claim) bounds() (low, high float64) {
	switch {
	case len(c.Published) > 0:
		return c.Published[0], c.Published[len(c.Published)-1]
	case c.AtLeast > 0:
		return c.AtLeast, math.Inf(1)
	}
	return 0, c.AtMost
}

// Told is the published figure for people.
func (c Claim) Told() string {
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

// of is the claim's figure on a graph or, where there is none, the reason.
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

// figureOf is a strategy's figure on a graph or, where there is none, the reason.
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
		return 0, fmt.Sprintf("for %s %s is 0, or was not counted", strategy, figure)
	}
	return value, ""
}
