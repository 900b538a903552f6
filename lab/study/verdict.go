package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/lab"
)

// Verdict is what a measured figure says of the published one.
type Verdict string

// The verdicts, by the rule that Rule tells.
const (
	Holds       Verdict = "holds"
	Stronger    Verdict = "is stronger"
	Weaker      Verdict = "is weaker"
	DoesNotHold Verdict = "does not hold"
	Unknown     Verdict = "cannot be judged"
)

var verdicts = []Verdict{Holds, Stronger, Weaker, DoesNotHold, Unknown}

// Rule is how verdicts come about.
const Rule = "A claim holds where the measured figure is the published one, or lies within its bounds, to within the " +
	"factor that stands with it. Beyond that it is stronger where more was measured than the paper gained; weaker where " +
	"less was measured, but more than 1; otherwise it does not hold."

// judge compares a figure with what is published, to within a factor.
func judge(figure, low, high, factor float64) Verdict {
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

// Finding is a claim with what was measured.
type Finding struct {
	Claim
	Within   float64    `json:"within"` // the factor
	Measured []Measured `json:"measured"`
	Sentence string     `json:"sentence"` // the verdict
}

// Measured is a figure on a graph, or the geometric mean of all.
type Measured struct {
	Graph   string  `json:"graph"` // its name, or that it is a mean
	Figure  float64 `json:"figure"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // for which there is no figure
}

// find judges a claim by the graphs that were measured.
func (s Study) find(c Claim, graphs []lab.GraphFigures) Finding {
	f := Finding{Claim: c, Within: c.Factor}
	if f.Within == 0 {
		f.Within = s.Factor
	}
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
			m.Verdict = judge(m.Figure, low, high, f.Within)
		}
	}
	f.Sentence = f.sentence()
	return f
}

// meanOf is the geometric mean; there is none where a figure is missing.
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

// sentence tells the verdicts, those of one kind together, and the reasons for which there is none.
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

// list joins names as people do.
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
