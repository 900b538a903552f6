// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/internal/output"
	"g500/lab"
)

// Verdict is the result of comparing a measured figure with the published one.
type Verdict string

// The verdicts. Rule explains them.
const (
	Reproduced    Verdict = "reproduced"
	Direction     Verdict = "direction only"
	NotReproduced Verdict = "not reproduced"
	None          Verdict = "no verdict"
)

// Verdicts on identical programs.
const (
	Equal     Verdict = "equal"
	Different Verdict = "different"
	TooFew    Verdict = "too few searches"
	TooWide   Verdict = "not shown to be equal"
)

var (
	verdicts     = []Verdict{Reproduced, Direction, NotReproduced, None}
	pairVerdicts = []Verdict{Equal, Different, TooFew, TooWide}
)

// same is the highest ratio of two figures that count as equal: identical programs may differ as much, and a gain is
// larger.
const same = 1.01

// Rule explains the verdicts.
var Rule = fmt.Sprintf("Strategies take turns, source by source. A figure is the median of the ratios by source "+
	"(colouring: by round), with an interval between two order statistics, n and the coverage of such intervals. "+
	"Reproduced: the whole interval is within the published range; for a single published number, the gain is within a "+
	"factor of it. Direction only: the interval is above %g for a published gain or below 1/%g for a published loss, of "+
	"another or no published size. Not reproduced: no figure of the interval agrees with the claim, or duplicates filled "+
	"a queue although the claim limits them. No verdict: the interval includes figures that agree and others that do "+
	"not; n is below %d; counters show that the mechanism of the claim did not run; or, for rates, identical programs "+
	"differ by more than a factor of %g in the study or were not compared on the graph, other programs loaded the "+
	"machine, or two machines are compared, unless the claim is about a GPU and cores. If identical programs are not "+
	"shown to be equal on a graph, intervals there are widened by the interval of their ratio.",
	same, same, leastRounds, same)

// span is a range of figures with its ends.
type span struct{ low, high float64 }

// spans returns the ranges of figures that agree with the size and with the direction of a claim, nil without a size or
// a direction. A single number has a tolerance: on the gain if it is a ratio, otherwise on the number.
func (c Claim) spans(factor float64) (size, direction *span) {
	low, high := c.bounds()
	size = &span{low, high}
	switch {
	case c.Over == "":
	case low >= 1 && high > 1:
		direction = &span{same, math.Inf(1)}
	case low < 1 && high <= 1:
		direction = &span{0, 1 / same}
	}
	switch gain := max(low, 1/low) - 1; {
	case len(c.Published) != 1:
	case direction == nil:
		size = &span{low / factor, low * factor}
	case low > 1:
		size = &span{1 + gain/factor, 1 + gain*factor}
	default:
		size = &span{1 / (1 + gain*factor), 1 / (1 + gain/factor)}
	}
	if direction != nil {
		size = &span{max(size.low, direction.low), min(size.high, direction.high)}
		if *size == *direction {
			size = nil
		}
	}
	return size, direction
}

// ofPair compares identical programs, and returns the consequence unless they are equal. narrow is the highest ratio of
// the ends of an interval that shows equality.
func (i Interval) ofPair(narrow float64) (v Verdict, consequence string) {
	switch {
	case i.N < leastRounds:
		return TooFew, fmt.Sprintf("n is below %d: rates there have no verdicts", leastRounds)
	case i.misses(span{1 / same, same}):
		return Different, "rates of this study have no verdicts"
	case i.High > narrow*i.Low:
		return TooWide, "the interval is wide: an error of rates there"
	}
	return Equal, ""
}

// verdict compares a figure with the published range, and returns the reason if there is no verdict.
func (c Claim) verdict(i Interval, factor float64) (v Verdict, reason string) {
	size, direction := c.spans(factor)
	switch {
	case size != nil && i.in(*size):
		return Reproduced, ""
	case direction != nil && i.in(*direction):
		return Direction, ""
	case i.misses(*cmp.Or(size, direction)):
		return NotReproduced, ""
	}
	return None, "the interval includes figures with and without the claim"
}

// sentence lists the graphs of each verdict, and the reasons.
func (f Finding) sentence() string {
	var clauses []string
	for _, v := range slices.Concat(verdicts, pairVerdicts) {
		var graphs lab.Grouped[string] // by reason
		for _, m := range f.Measured {
			if m.Verdict == v {
				graphs.Add(m.Reason, m.Graph)
			}
		}
		for _, of := range graphs {
			clause := string(v) + " on " + output.List(of.Items, "and")
			if of.Text != "" {
				clause += " (" + of.Text + ")"
			}
			clauses = append(clauses, clause)
		}
	}
	text := cmp.Or(strings.Join(clauses, "; "), "not measured") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}
