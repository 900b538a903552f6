package compare

import (
	"math"

	"golang.org/x/perf/benchmath"
)

// Interval is the logarithm of a ratio, with the bounds of its confidence interval.
type Interval struct{ Center, Low, High float64 }

// percent converts the logarithm of a ratio to a difference in percent: 0.0953 to 10.
func percent(log float64) float64 { return 100 * math.Expm1(log) }

// paired returns the interval of mean(a)/mean(b) if a[i] and b[i] are measurements of the same search key. It is
// Student's interval on the linearised logarithm of the ratio: of a[i]/mean(a) - b[i]/mean(b), whose mean is 0.
func paired(a, b []float64, confidence float64) Interval {
	offsets := relative(a)
	for i, y := range relative(b) {
		offsets[i] -= y
	}
	return around(math.Log(mean(a)/mean(b)), offsets, confidence)
}

// unpaired returns the interval of mean(a)/mean(b) of independent samples. It combines Student's intervals of both
// sides by the method of Zou and Donner, "Construction of confidence limits about effect measures: a general approach"
// (Statistics in Medicine, 2008).
func unpaired(a, b []float64, confidence float64) Interval {
	x := around(0, relative(a), confidence)
	y := around(0, relative(b), confidence)
	center := math.Log(mean(a) / mean(b))
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
	m, shares := mean(x), make([]float64, len(x))
	for i, v := range x {
		shares[i] = v/m - 1
	}
	return shares
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
