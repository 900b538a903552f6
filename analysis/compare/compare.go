// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/internal/lists"
	"g500/internal/output"
)

// Comparison compares two sets of runs, point by point.
type Comparison struct {
	Confidence float64  `json:"confidence"`   // of each interval, as in 0.95
	Same       float64  `json:"same_percent"` // a difference of at most this size is none
	Points     []Point  `json:"points"`
	OnlyA      []string `json:"only_a"` // one sentence for each group of runs that B lacks
	OnlyB      []string `json:"only_b"`
	Notes      []string `json:"notes"` // other differences

	alone [2]int // runs of A and of B in OnlyA and OnlyB
}

// Point compares B with A at one scale and number of ranks.
type Point struct {
	Kernel     string         `json:"kernel"` // BFS or SSSP
	Scale      int            `json:"scale"`
	EdgeFactor int64          `json:"edgefactor"`
	Ranks      int            `json:"ranks"`
	A          Side           `json:"a"`
	B          Side           `json:"b"`
	Percent    float64        `json:"difference_percent"` // of B's harmonic mean; above 0 if B is faster
	Low        *float64       `json:"low_percent"`        // lower bound of the interval, nil for a single search
	High       *float64       `json:"high_percent"`       // upper bound
	Method     collect.Method `json:"method"`
	N          int            `json:"n"`       // values of the method: pairs, or searches or runs of the side with fewer
	Says       Verdict        `json:"verdict"` // on B
}

// Side is the runs of one set at a point.
type Side struct {
	Kind     string  `json:"kind"` // machine, engine, threads
	Runs     int     `json:"runs"`
	Searches int     `json:"searches"`
	TEPS     float64 `json:"harmonic_mean_teps"` // of all searches of all runs
}

// Sets compares all points that both sets have. Confidence is between 0 and 1. A difference of at most same percent,
// from 0 to less than 100, is none.
func Sets(a, b *collect.Set, confidence, same float64) *Comparison {
	c := &Comparison{Confidence: confidence, Same: same, Points: []Point{},
		OnlyA: []string{}, OnlyB: []string{}, Notes: []string{}}
	a, b = a.OutsideStudies(), b.OutsideStudies()
	right := slices.Clone(b.Points)
	var pairs []pair
	for _, p := range a.Points {
		if q := partner(p, a.Points, right); q >= 0 {
			pairs, c.Points = append(pairs, pair{p, right[q]}), append(c.Points, c.Of(p, right[q]))
			right = slices.Delete(right, q, q+1)
		}
	}
	slices.SortStableFunc(c.Points, func(p, q Point) int {
		return cmp.Or(cmp.Compare(p.Kernel, q.Kernel), cmp.Compare(p.Scale, q.Scale), cmp.Compare(p.Ranks, q.Ranks))
	})
	c.OnlyA, c.alone[0] = c.leftOut("A", a, func(p collect.Point) bool {
		return slices.ContainsFunc(pairs, func(of pair) bool { return of.a.Same(p) })
	})
	c.OnlyB, c.alone[1] = c.leftOut("B", b, func(p collect.Point) bool {
		return slices.ContainsFunc(pairs, func(of pair) bool { return of.b.Same(p) })
	})
	c.note(pairs)
	return c
}

// pair is two points that are compared.
type pair struct{ a, b collect.Point }

// leftOut returns a sentence for each group of valid runs of a set that the table lacks, and their number. It notes the
// runs that count nowhere.
func (c *Comparison) leftOut(name string, set *collect.Set, has func(collect.Point) bool) (only []string, runs int) {
	only, lost := []string{}, collect.Set{} // which counts a run of two kernels once
	for _, left := range set.LeftOut(func(p collect.Point) string {
		if has(p) {
			return ""
		}
		return fmt.Sprintf("only %s has valid runs of %v", name, p.Kind)
	}) {
		switch left.Why {
		case collect.NotValid, collect.Repeated, collect.Shorter:
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %v", name, left))
		default:
			only, lost.Runs = append(only, left.String()), append(lost.Runs, left.Runs...)
		}
	}
	for _, sentence := range set.Unread {
		c.Notes = append(c.Notes, name+": "+sentence)
	}
	runs, _ = lost.Count()
	return only, runs
}

// partner returns the index of the point that p is compared with, -1 for none: a point of the same kind or, if each set
// has only one point of this graph, kernel and number of ranks, a point of any kind.
func partner(p collect.Point, left, right []collect.Point) int {
	like := func(q collect.Point) bool {
		return p.Scale == q.Scale && p.Ranks == q.Ranks && p.Kind.Factor == q.Kind.Factor && p.Kind.Kernel == q.Kind.Kernel
	}
	same := slices.IndexFunc(right, func(q collect.Point) bool { return like(q) && q.Kind == p.Kind })
	if same >= 0 || len(lists.Where(left, like)) > 1 || len(lists.Where(right, like)) != 1 {
		return same
	}
	return slices.IndexFunc(right, like)
}

// note notes other differences between the points of pairs, each once.
func (c *Comparison) note(pairs []pair) {
	add := func(of func(pair) string) {
		var texts []string
		scales, ranks := map[string][]int{}, map[string][]int{}
		for _, p := range pairs {
			text := of(p)
			if text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			scales[text], ranks[text] = append(scales[text], p.a.Scale), append(ranks[text], p.a.Ranks)
		}
		for _, text := range texts {
			where := ""
			if len(scales[text]) < len(pairs) {
				where = collect.Places(scales[text], ranks[text]) + ": "
			}
			c.Notes = append(c.Notes, where+text)
		}
	}
	add(func(p pair) string { return unlike("A is %v, B is %v", p.a.Kind, p.b.Kind) })
	add(func(p pair) string { return unlike("A was run by %q, B by %q", p.a.Program, p.b.Program) })
	add(func(p pair) string {
		if len(p.a.Runs) > 1 && len(p.b.Runs) > 1 {
			return ""
		}
		return "if A or B has one run, the interval does not include the variation between runs"
	})
}

// unlike formats a difference, "" if both sides are the same.
func unlike[T comparable](format string, a, b T) string {
	if a == b {
		return ""
	}
	return fmt.Sprintf(format, a, b)
}

func side(p collect.Point) Side { return Side{p.Kind.String(), len(p.Runs), p.Searches, p.Rate()} }

// percent converts the logarithm of a ratio to a difference in percent: 0.0953 to 10.
func percent(log float64) float64 { return 100 * math.Expm1(log) }

// Of compares a point of B with a point of A.
func (c *Comparison) Of(p, q collect.Point) Point {
	r := collect.RatioOf(q, p, c.Confidence)
	point := Point{Kernel: p.Kind.Kernel.Abbreviation(), Scale: p.Scale, EdgeFactor: p.Kind.Factor, Ranks: p.Ranks,
		A: side(p), B: side(q), Percent: percent(r.Log.Center), Method: r.Method, N: r.N, Says: Ambiguous}
	if r.Log.Finite() {
		low, high := percent(r.Log.Low), percent(r.Log.High)
		point.Low, point.High, point.Says = &low, &high, c.verdict(low, high)
	}
	return point
}

// Lost returns the points without an interval, or whose interval shows that B is slower by more than percent.
func (c *Comparison) Lost(percent float64) []Point {
	return lists.Where(c.Points, func(p Point) bool { return p.High == nil || *p.High < -percent })
}

// Verdict compares B with A. It follows from the interval.
type Verdict string

// The verdicts. Comparison.Rule explains them.
const (
	Faster    Verdict = "faster"
	Slower    Verdict = "slower"
	Same      Verdict = "same"
	Ambiguous Verdict = "ambiguous"
)

// Rule explains the verdicts in a sentence.
func (c *Comparison) Rule() string {
	return fmt.Sprintf("B is the same if the whole interval is within %g%% of A; otherwise faster or slower if it "+
		"excludes 0%%, and ambiguous if it does not.", c.Same)
}

func (c *Comparison) verdict(low, high float64) Verdict {
	switch {
	case low >= -c.Same && high <= c.Same:
		return Same
	case low > 0:
		return Faster
	case high < 0:
		return Slower
	}
	return Ambiguous
}

// WriteText writes a text table of 80 columns for each kernel and kind of run, a count of others, and the notes.
func (c *Comparison) WriteText(w io.Writer) error {
	text := output.Wrapped(fmt.Sprintf("B over A: harmonic means in GTEPS, of all searches. Intervals have a confidence "+
		"of %.4g%%, by pairs of search keys, by the searches of each side, or by runs. %s", 100*c.Confidence, c.Rule()), "")
	points := slices.Clone(c.Points)
	for len(points) > 0 {
		kernel, kind := points[0].Kernel, points[0].A.Kind
		t := output.Table{Title: strings.TrimPrefix(kernel+", "+kind, "SSSP, "), // of which the kind has the name
			Head: []string{"scale", "ranks", "A", "B", "change", "interval", "by", "B is"}}
		points = slices.DeleteFunc(points, func(p Point) bool {
			same := p.Kernel == kernel && p.A.Kind == kind
			if same {
				t.Row(p.Scale, p.Ranks, collect.GTEPS(p.A.TEPS), collect.GTEPS(p.B.TEPS), signed(p.Percent),
					p.Interval(signed), fmt.Sprint(p.N, " ", basis[p.Method]), p.Says)
			}
			return same
		})
		text += "\n\n" + strings.TrimSuffix(t.Text(), "\n")
	}
	text += "\n\n"
	if c.alone != [2]int{} {
		text += output.Wrapped(fmt.Sprintf("not compared: %s of A and %d of B, which the other has no valid run to compare "+
			"with; --json has the reasons", collect.Count(c.alone[0], "run"), c.alone[1]), "  ") + "\n"
	}
	for _, sentence := range c.Notes {
		text += output.Wrapped("note: "+sentence, "  ") + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// basis names the values of a method in a narrow column.
var basis = map[collect.Method]string{collect.ByKeys: "keys", collect.BySearches: "each", collect.ByRuns: "runs"}

func signed(percent float64) string { return fmt.Sprintf("%+.1f%%", percent) }

// Interval formats the interval by a function for each bound.
func (p Point) Interval(format func(percent float64) string) string {
	switch {
	case p.Low == nil:
		return "none"
	case p.Says == Ambiguous && collect.TooWide(100+*p.Low, 100+*p.High):
		return p.Method.TooFew()
	}
	return format(*p.Low) + " to " + format(*p.High)
}

// Format counts incompatible changes of the JSON.
const Format = 1

// WriteJSON writes the comparison, with rates in TEPS.
func (c *Comparison) WriteJSON(w io.Writer) error { return output.Document(w, Format, c) }

// WriteCSV writes one row per point, with rates in TEPS. Bounds are empty without an interval.
func (c *Comparison) WriteCSV(w io.Writer) error {
	rows := [][]string{{"kernel", "scale", "edgefactor", "ranks", "a", "a_runs", "a_searches", "a_harmonic_mean_teps",
		"b", "b_runs", "b_searches", "b_harmonic_mean_teps",
		"difference_percent", "confidence", "low_percent", "high_percent", "method", "verdict",
		"n", "same_percent"}}
	for _, p := range c.Points {
		rows = append(rows, output.Cells(p.Kernel, p.Scale, p.EdgeFactor, p.Ranks,
			p.A.Kind, p.A.Runs, p.A.Searches, p.A.TEPS, p.B.Kind, p.B.Runs, p.B.Searches, p.B.TEPS,
			p.Percent, c.Confidence, p.Low, p.High, p.Method, p.Says, p.N, c.Same))
	}
	return output.CSV(w, rows)
}
