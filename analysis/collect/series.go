// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"g500/analysis/scale"
	"g500/internal/lists"
	"g500/record"
)

// Series is two or more points of one kind, in ascending order of units. In a study over cores, Kind has none.
type Series struct {
	Kind    Kind
	Scaling string // scale.Strong or scale.Weak
	Scale   int    // of the graph; in weak scaling, of one unit's part
	Points  []Point
	Repeats int    // of each run in the study's plan, 0 outside studies
	Lost    []Lost // sizes of the study's plan without a valid run
}

// seriesOf returns the series of the points. Series of a study have its scaling. Other runs form a series of strong
// scaling for each scale, and one of weak scaling for each scale per rank, unless all its points are in series of
// strong scaling. A series of a study may have a single point if other sizes are lost.
func (s *Set) seriesOf(points []Point) []Series {
	by := func(scaling string) []Series {
		all := group(scaling, points)
		for i := range all {
			s.plan(&all[i])
		}
		return slices.DeleteFunc(all, func(s Series) bool { return len(s.Points) < 2 && len(s.Lost) == 0 })
	}
	strong, weak := by(scale.Strong), by(scale.Weak)
	shown := func(p Point) bool {
		return slices.ContainsFunc(strong, func(s Series) bool { return s.has(p) })
	}
	weak = slices.DeleteFunc(weak, func(s Series) bool {
		return s.Kind.Scaling != scale.Weak && !slices.ContainsFunc(s.Points, func(p Point) bool { return !shown(p) })
	})
	return append(strong, weak...)
}

// group groups the points into series of one scaling.
func group(scaling string, points []Point) (all []Series) {
	for _, p := range points {
		common, fits := seriesScale(scaling, p)
		if !fits || p.Kind.Scaling != "" && p.Kind.Scaling != scaling {
			continue
		}
		kind := p.Kind
		if kind.Axis == scale.Cores {
			kind.Threads = 0
		}
		of := lists.At(&all, func(s Series) bool { return s.Kind == kind && s.Scale == common },
			Series{Kind: kind, Scaling: scaling, Scale: common})
		of.Points = append(of.Points, p)
	}
	for _, s := range all {
		slices.SortFunc(s.Points, func(a, b Point) int { return a.Units - b.Units })
		s.compare()
	}
	return all
}

// seriesScale returns the common scale of the series of a point. Weak scaling needs a power of two of units.
func seriesScale(scaling string, p Point) (common int, fits bool) {
	if scaling == scale.Strong {
		return p.Scale, true
	}
	return p.Scale - (bits.Len(uint(p.Units)) - 1), bits.OnesCount(uint(p.Units)) == 1
}

func (s Series) has(p Point) bool { return slices.ContainsFunc(s.Points, p.Same) }

// pointOf returns the point with a run, nil if the series does not have the run.
func (s Series) pointOf(r *Run) *Point {
	return lists.Find(s.Points, func(p Point) bool { return slices.Contains(p.Runs, r) })
}

// String returns the name of the series within its kind.
func (s Series) String() string {
	if s.Scaling == scale.Weak {
		return fmt.Sprintf("weak scaling, scale %d per %s", s.Scale, s.Kind.Unit())
	}
	return fmt.Sprintf("strong scaling, scale %d", s.Scale)
}

// Programs returns the versions of the program that made the points, the baseline's first. If they are several, they
// affect the efficiency.
func (s Series) Programs() (all []record.Program) {
	for _, p := range s.Points {
		if program := p.Program; !slices.Contains(all, program) {
			all = append(all, program)
		}
	}
	return all
}

// Baseline returns the point that the others are compared with.
func (s Series) Baseline() Point { return s.Points[0] }

// BaselineName describes the baseline.
func (s Series) BaselineName() string { return s.baselineName(record.FormatTEPS) }

func (s Series) baselineName(rate func(teps float64) string) string {
	b := s.Baseline()
	runs, by := "one run", ""
	if len(b.Runs) > 1 {
		runs = fmt.Sprintf("median of %d runs", len(b.Runs))
	}
	if len(s.Programs()) > 1 {
		by = " of " + b.Program.String()
	}
	return fmt.Sprintf("%v: %s, %s%s", b, rate(b.TEPS.Median), runs, by)
}

// Confidence is the confidence of all intervals of a study.
const Confidence = 0.95

// medianError is the largest quotient of the standard errors of a median and a mean, for normal errors.
var medianError = math.Sqrt(math.Pi / 2)

// compare computes the speed-up and the efficiency of each point.
func (s Series) compare() {
	base := s.Baseline()
	for i := range s.Points {
		p := &s.Points[i]
		if i == 0 {
			p.Speedup, p.Efficiency = Estimate{Value: 1}, Estimate{Value: 1}
			continue
		}
		p.Speedup = speedup(*p, base)
		p.Efficiency = p.Speedup.times(float64(base.Units) / float64(p.Units))
	}
}

// speedup returns the quotient of the medians of two points. Its interval is RatioOf's, around this quotient, and wider
// if a median is of more than two runs.
func speedup(p, base Point) Estimate {
	r := RatioOf(p, base, Confidence)
	e := Estimate{Value: p.TEPS.Median / base.TEPS.Median, Method: r.Method}
	if !r.Log.Finite() {
		return e
	}
	wider := 1.0
	if max(len(p.Runs), len(base.Runs)) > 2 {
		wider = medianError
	}
	low := e.Value * math.Exp(wider*(r.Log.Low-r.Log.Center))
	high := e.Value * math.Exp(wider*(r.Log.High-r.Log.Center))
	e.Low, e.High = &low, &high
	return e
}

// Estimate is a figure with the bounds of its interval, whose confidence is Confidence. The figures of a baseline are
// exact, and have no interval.
type Estimate struct {
	Value  float64  `json:"value"`
	Low    *float64 `json:"low"`              // nil without an interval
	High   *float64 `json:"high"`             // nil without an interval
	Method Method   `json:"method,omitempty"` // of the interval; "" for a baseline
}

// times returns the figure times a factor.
func (e Estimate) times(factor float64) Estimate {
	e.Value *= factor
	if e.Low != nil {
		low, high := *e.Low*factor, *e.High*factor
		e.Low, e.High = &low, &high
	}
	return e
}

// Interval formats the interval as percentages: 70.2% to 82.5%. It is "" for a baseline, and says so if there are too
// few runs or searches.
func (e Estimate) Interval() string {
	switch {
	case e.Method == "":
		return ""
	case e.Low == nil || TooWide(*e.Low, *e.High):
		return e.Method.TooFew()
	}
	return Percent(*e.Low) + " to " + Percent(*e.High)
}

// Ideal returns the rate on that many units if each is as fast as a unit of the baseline.
func (s Series) Ideal(units int) float64 {
	return s.Baseline().TEPS.Median * float64(units) / float64(s.Baseline().Units)
}

// noisy is the standard error of a rate, as a share of it, above which the rate is doubtful. An interval of 95% extends
// about two standard errors to each side.
const noisy = 0.1

// Noise describes standard errors of runs above 10% and intervals of efficiency beyond ±20%, with the cure; "" if
// there are none. It leaves out the runs that another version of the program has repeated later.
func (s *Set) Noise() string {
	var errors []float64
	rates, sizes, wide := 0, 0, 0
	for _, p := range s.Points {
		for _, r := range p.Runs {
			rates++
			if e := r.TEPS.HarmonicStddev / r.TEPS.HarmonicMean; e > noisy {
				errors = append(errors, e)
			}
		}
	}
	for _, series := range s.Series {
		for _, p := range series.Points {
			if e := p.Efficiency; e.Method != "" { // the baseline has none
				sizes++
				if e.Low == nil || *e.High-*e.Low > 4*noisy*e.Value {
					wide++
				}
			}
		}
	}
	var found []string
	if len(errors) > 0 {
		found = append(found, fmt.Sprintf("the standard error of %d of %s is above %s, up to %s", len(errors),
			Count(rates, "rate"), Percent(noisy), Percent(slices.Max(errors))))
	}
	if wide > 0 {
		found = append(found, fmt.Sprintf("the 95%% interval of efficiency is wider than ±%s at %d of %s",
			Percent(2*noisy), wide, Count(sizes, "point")))
	}
	if len(found) == 0 {
		return ""
	}
	return "The rates are noisy: " + strings.Join(found, "; ") +
		". Either the machine had other load, or there are too few runs or searches: repeat them on an idle machine."
}
