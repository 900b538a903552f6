// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"math"

	"golang.org/x/perf/benchmath"

	"g500/internal/lists"
	"g500/record"
)

// Method is the basis of an interval.
type Method string

// The methods. Pairs of keys precede unpaired searches; runs count if their interval is wider.
const (
	ByKeys     Method = "search keys" // pairs of searches from the same key
	BySearches Method = "searches"    // searches from different keys, unpaired
	ByRuns     Method = "runs"        // a run's harmonic mean is one value
)

// TooFew returns the text in place of an interval that is too wide to say anything.
func (m Method) TooFew() string {
	if m == ByRuns {
		return "too few runs"
	}
	return "too few searches"
}

// tooWide is the quotient of an interval's bounds above which the interval only shows that there are too few values.
const tooWide = 10

// TooWide reports whether an interval from low to high, which are ratios, only shows that there are too few values.
func TooWide(low, high float64) bool { return high > tooWide*low }

// Ratio is the rate of a point divided by the rate of another one. A rate is the harmonic mean of all searches.
type Ratio struct {
	Log    Interval // the logarithm of the ratio
	Method Method
	N      int // values of the method: pairs, or searches or runs of the point with fewer
}

// RatioOf returns the rate of q divided by the rate of p. Confidence is between 0 and 1. The interval is infinite if a
// point has a single search.
func RatioOf(q, p Point, confidence float64) Ratio {
	a, b := newSample(p.Runs), newSample(q.Runs)
	r := Ratio{unpaired(a.all(), b.all(), confidence), BySearches, min(len(a.all()), len(b.all()))}
	if x, y, same := pairs(a, b); same {
		r = Ratio{paired(x, y, confidence), ByKeys, len(x)}
	}
	if len(a) > 1 && len(b) > 1 {
		if runs := unpaired(a.runs(), b.runs(), confidence).at(r.Log.Center); runs.wider(r.Log) {
			r = Ratio{runs, ByRuns, min(len(a), len(b))}
		}
	}
	return r
}

// Rate returns the harmonic mean of the rates of all searches of all runs, in TEPS.
func (p Point) Rate() float64 { return 1 / record.Mean(newSample(p.Runs).all()) }

// sample is the searches of each run.
type sample [][]record.Search

func newSample(runs []*Run) sample {
	return lists.Of(runs, func(r *Run) []record.Search { return r.Searches })
}

func perEdge(s record.Search) float64 { return s.Seconds / float64(s.Edges) }

// all returns the seconds per edge of every search.
func (s sample) all() (x []float64) {
	for _, run := range s {
		for _, search := range run {
			x = append(x, perEdge(search))
		}
	}
	return x
}

// runs returns the mean of each run.
func (s sample) runs() []float64 {
	return lists.Of(s, func(run []record.Search) float64 { return record.Mean(sample{run}.all()) })
}

// searchKey is a root and the edges of its component, which differ between graphs.
type searchKey struct{ root, edges int64 }

// byKey returns the mean of each search key; false if runs have different keys or repeat one.
func (s sample) byKey() (means map[searchKey]float64, same bool) {
	means = map[searchKey]float64{}
	for r, run := range s {
		seen := map[searchKey]bool{}
		for _, search := range run {
			key := searchKey{search.Root, search.Edges}
			if _, known := means[key]; r > 0 && !known {
				return nil, false
			}
			seen[key] = true
			means[key] += perEdge(search) / float64(len(s))
		}
		if len(seen) != len(s[0]) {
			return nil, false
		}
	}
	return means, true
}

// pairs returns the means of both sides by search key, in one order; false if the keys differ.
func pairs(a, b sample) (x, y []float64, same bool) {
	left, ok := a.byKey()
	right, too := b.byKey()
	if !ok || !too || len(left) != len(right) {
		return nil, nil, false
	}
	for _, search := range a[0] {
		key := searchKey{search.Root, search.Edges}
		other, has := right[key]
		if !has {
			return nil, nil, false
		}
		x, y = append(x, left[key]), append(y, other)
	}
	return x, y, true
}

// Interval is the logarithm of a ratio, with the bounds of its confidence interval.
type Interval struct{ Center, Low, High float64 }

// Finite reports whether the interval has bounds.
func (i Interval) Finite() bool { return !math.IsInf(i.High-i.Low, 0) }

// at returns the interval moved to another center.
func (i Interval) at(center float64) Interval {
	return Interval{center, i.Low - i.Center + center, i.High - i.Center + center}
}

// paired returns the interval of mean(a)/mean(b) if a[i] and b[i] are measurements of the same search key. It is
// Student's interval on the linearised logarithm of the ratio: of a[i]/mean(a) - b[i]/mean(b), whose mean is 0.
func paired(a, b []float64, confidence float64) Interval {
	offsets := relative(a)
	for i, y := range relative(b) {
		offsets[i] -= y
	}
	return around(math.Log(record.Mean(a)/record.Mean(b)), offsets, confidence)
}

// unpaired returns the interval of mean(a)/mean(b) of independent samples. It combines Student's intervals of both
// sides by the method of Zou and Donner, "Construction of confidence limits about effect measures: a general approach"
// (Statistics in Medicine, 2008).
func unpaired(a, b []float64, confidence float64) Interval {
	x := around(0, relative(a), confidence)
	y := around(0, relative(b), confidence)
	center := math.Log(record.Mean(a) / record.Mean(b))
	return Interval{center, center - math.Hypot(x.Low, y.High), center + math.Hypot(x.High, y.Low)}
}

// around returns Student's interval of the mean of offsets, moved to a center. It is infinite for a single offset.
func around(center float64, offsets []float64, confidence float64) Interval {
	if len(offsets) < 2 {
		return Interval{center, math.Inf(-1), math.Inf(1)}
	}
	s := benchmath.AssumeNormal.Summary(benchmath.NewSample(offsets, &benchmath.DefaultThresholds), confidence)
	return Interval{center, center + s.Lo - s.Center, center + s.Hi - s.Center}
}

// wider reports whether the interval is wider than another one.
func (i Interval) wider(than Interval) bool { return i.High-i.Low > than.High-than.Low }

// relative returns the deviation of each value from the mean, as a share of the mean.
func relative(x []float64) []float64 {
	m, shares := record.Mean(x), make([]float64, len(x))
	for i, v := range x {
		shares[i] = v/m - 1
	}
	return shares
}
