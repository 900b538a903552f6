package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Interval is the logarithm of a ratio, with the bounds of its confidence interval.
type Interval struct{ Center, Low, High float64 }

// percent is a logarithm of a ratio as people say it: 0.0953 is 10% more.
func percent(log float64) float64 { return 100 * math.Expm1(log) }

// paired is the interval of mean(a)/mean(b), where a[i] and b[i] were measured on the same thing. It is Student's on
// the linearised logarithm of the ratio: each pair's a[i]/mean(a) - b[i]/mean(b), whose mean is 0.
func paired(a, b []float64, confidence float64) Interval {
	return around(math.Log(mean(a)/mean(b)), minus(relative(a), relative(b)), confidence)
}

// unpaired is the interval of mean(a)/mean(b) where the two have nothing in common. Each side has Student's interval,
// and the two make one by the method of Zou and Donner, "Construction of confidence limits about effect measures: a
// general approach" (Statistics in Medicine, 2008).
func unpaired(a, b []float64, confidence float64) Interval {
	x := around(0, relative(a), confidence)
	y := around(0, relative(b), confidence)
	center := math.Log(mean(a) / mean(b))
	return Interval{center, center - math.Hypot(x.Low, y.High), center + math.Hypot(x.High, y.Low)}
}

// around is Student's interval of the mean of offsets, moved to a center. A single offset bounds nothing.
func around(center float64, offsets []float64, confidence float64) Interval {
	if len(offsets) < 2 {
		return Interval{center, math.Inf(-1), math.Inf(1)}
	}
	s := benchmath.AssumeNormal.Summary(benchmath.NewSample(offsets, &benchmath.DefaultThresholds), confidence)
	return Interval{center, center + s.Lo - s.Center, center + s.Hi - s.Center}
}

// wider is the interval that promises less.
func (i Interval) wider(than Interval) bool { return i.High-i.Low > than.High-than.Low }

// relative is how far each value lies from the mean, as a share of the mean.
func relative(x []float64) []float64 {
	m, shares := mean(x), slices.Clone(x)
	for i := range shares {
		shares[i] = shares[i]/m - 1
	}
	return shares
}

// minus subtracts b from a, which it changes.
func minus(a, b []float64) []float64 {
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
