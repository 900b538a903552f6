// SPDX-License-Identifier: Apache-2.0

package study

import (
	"fmt"
	"strings"

	"g500/internal/output"
)

// Verdict is the result of comparing a measured figure with the published one.
type Verdict string

// The verdicts. Rule explains them.
const (
	Holds       Verdict = "holds"
	Larger      Verdict = "is larger"
	Smaller     Verdict = "is smaller"
	DoesNotHold Verdict = "does not hold"
	NoEffect    Verdict = "is indistinguishable from no effect"
	Undecided   Verdict = "is undecided at this size"
	None        Verdict = "has no verdict"
)

var verdicts = []Verdict{Holds, Larger, Smaller, DoesNotHold, NoEffect, Undecided, None}

// Rule explains the verdicts.
var Rule = fmt.Sprintf("Ratios are paired by source; a figure is their geometric mean, with a bootstrap interval of "+
	"%.0f%% confidence over n sources (colouring: runs, without pairs). A claimed gain (a figure above 1) or loss (below "+
	"1) does not hold if the interval is on the other side of 1, and is indistinguishable from no effect if it includes "+
	"1. Otherwise it holds if the figure is within the published range, extended by the factor of the claim, and is "+
	"larger or smaller if the figure is. Any other claim holds if the whole interval is within the extended range, and "+
	"does not hold if the whole interval is outside. A claim is undecided at this size if n is below %d, if the graph is "+
	"smaller than the claim requires, or if the interval includes an end of the range. It has no verdict without figures "+
	"that can be compared. The ratio of rates on two machines depends on the years of both.", 100*confidence, leastSources)

// verdict compares a figure with the published range and a factor.
func (c Claim) verdict(i Interval, factor float64) Verdict {
	low, high := c.bounds()
	switch {
	case i.N < leastSources:
		return Undecided
	case low >= 1 && high > 1:
		return gain(i, low/factor, high*factor)
	case low < 1 && high <= 1:
		return opposite(gain(i.inverse(), 1/(high*factor), factor/low))
	case i.Low >= low/factor && i.High <= high*factor:
		return Holds
	case i.High < low/factor || i.Low > high*factor:
		return DoesNotHold
	}
	return Undecided
}

// gain compares a figure that is claimed to be above 1 with a range. The ends of the range may be below 1.
func gain(i Interval, low, high float64) Verdict {
	switch {
	case i.High < 1:
		return DoesNotHold
	case i.Low <= 1:
		return NoEffect
	case i.Figure < low:
		return Smaller
	case i.Figure > high:
		return Larger
	}
	return Holds
}

// opposite returns the verdict on a figure for the verdict on its reciprocal.
func opposite(v Verdict) Verdict {
	switch v {
	case Larger:
		return Smaller
	case Smaller:
		return Larger
	}
	return v
}

// sentence lists the graphs of each verdict, and the reasons why figures are missing.
func (f Finding) sentence() string {
	var clauses []string
	for _, v := range verdicts {
		var reasons []string
		names := map[string][]string{} // of graphs, by reason
		for _, m := range f.Measured {
			if m.Verdict != v {
				continue
			}
			if names[m.Reason] == nil {
				reasons = append(reasons, m.Reason)
			}
			names[m.Reason] = append(names[m.Reason], m.Graph)
		}
		for i, reason := range reasons {
			clause := ""
			if i == 0 {
				clause = string(v)
			}
			if len(f.Measured) > 1 {
				clause += " on " + output.List(names[reason], "and")
			}
			if reason != "" {
				clause += " (" + reason + ")"
			}
			clauses = append(clauses, strings.TrimSpace(clause))
		}
	}
	if len(clauses) == 0 {
		return "It was not measured."
	}
	return "It " + strings.Join(clauses, ", ") + "."
}
