package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/lab"
)

// Verdict is the result of comparing a measured figure with the published one.
type Verdict string

// The verdicts. Rule explains them.
const (
	Holds       Verdict = "holds"
	Stronger    Verdict = "is stronger"
	Weaker      Verdict = "is weaker"
	DoesNotHold Verdict = "does not hold"
	Unknown     Verdict = "is undecided"
)

var verdicts = []Verdict{Holds, Stronger, Weaker, DoesNotHold, Unknown}

// Rule explains the verdicts.
const Rule = "A claim holds if the measured figure is within the published range, extended by the factor of the claim" +
	" at both ends. Otherwise it is stronger if more was measured than was published, and that is a gain; weaker if" +
	" less was measured, but still a gain (more than 1). In all other cases it does not hold."

// verdictOf compares a figure with a published range and a factor.
func verdictOf(figure, low, high, factor float64) Verdict {
	switch {
	case figure >= low/factor && figure <= high*factor:
		return Holds
	case figure > high && low > 0 && high > 1:
		return Stronger
	case figure < low && figure > 1:
		return Weaker
	}
	return DoesNotHold
}

// Finding is a claim with its measured figures.
type Finding struct {
	Claim
	Within   float64    `json:"within"` // the factor
	Measured []Measured `json:"measured"`
	Sentence string     `json:"sentence"` // the verdict
}

// Measured is a figure on one graph, or the geometric mean over all.
type Measured struct {
	Graph   string  `json:"graph"` // name, or "mean of N graphs"
	Figure  float64 `json:"figure"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // why there is no figure
}

// find compares a claim with the figures of the graphs that were measured.
func (s Study) find(c Claim, graphs []lab.GraphFigures) Finding {
	f := Finding{Claim: c, Within: cmp.Or(c.Factor, s.Factor)}
	for i, g := range s.Graphs[:len(graphs)] {
		if len(c.Graphs) == 0 || slices.Contains(c.Graphs, g.Name) {
			figure, reason := c.of(graphs[i])
			f.Measured = append(f.Measured, Measured{Graph: g.Name, Figure: figure, Reason: reason})
		}
	}
	if c.Mean && len(f.Measured) > 0 {
		f.Measured = []Measured{meanOf(f.Measured)}
	}
	low, high := c.bounds()
	for i := range f.Measured {
		m := &f.Measured[i]
		m.Verdict = Unknown
		if m.Reason == "" {
			m.Verdict = verdictOf(m.Figure, low, high, f.Within)
		}
	}
	f.Sentence = f.sentence()
	return f
}

// meanOf returns the geometric mean, or the reason why a figure is missing.
func meanOf(all []Measured) Measured {
	mean, sum := Measured{Graph: fmt.Sprintf("mean of %d graphs", len(all))}, 0.0
	for _, m := range all {
		if m.Reason != "" {
			mean.Reason = fmt.Sprintf("on %s %s", m.Graph, m.Reason)
			return mean
		}
		sum += math.Log(m.Figure)
	}
	mean.Figure = math.Exp(sum / float64(len(all)))
	return mean
}

// sentence lists the graphs of each verdict, and the reasons why figures are missing.
func (f Finding) sentence() string {
	var clauses []string
	for _, v := range verdicts {
		var names, reasons []string
		for _, m := range f.Measured {
			if m.Verdict != v {
				continue
			}
			names = append(names, m.Graph)
			if m.Reason != "" && !slices.Contains(reasons, m.Reason) {
				reasons = append(reasons, m.Reason)
			}
		}
		if len(names) == 0 {
			continue
		}
		clause := string(v)
		if len(f.Measured) > 1 {
			clause += " on " + list(names)
		}
		if len(reasons) > 0 {
			clause += ": " + strings.Join(reasons, "; ")
		}
		clauses = append(clauses, clause)
	}
	if len(clauses) == 0 {
		return "It was not measured."
	}
	return "It " + strings.Join(clauses, ", ") + "."
}

// list joins names with commas and "and".
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
