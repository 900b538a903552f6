package record

import (
	"math"
	"slices"
)

// Summary describes a list of measurements in the measurements' own unit.
type Summary struct {
	Min           float64 `json:"min"`
	FirstQuartile float64 `json:"firstquartile"`
	Median        float64 `json:"median"`
	ThirdQuartile float64 `json:"thirdquartile"`
	Max           float64 `json:"max"`
	Mean          float64 `json:"mean"`
	Stddev        float64 `json:"stddev"` // of the sample: n-1 below the sum
}

// SummaryOf summarises x, which must not be empty. The specification leaves the quartiles open; these are the
// official program's (src/main.c: get_statistics), for any n: the mean of the two values at places (n-1)/4 and
// n/4 from either end. A single value has deviation 0, where the official formula divides 0 by 0.
func SummaryOf(x []float64) Summary {
	n := len(x)
	mean := meanOf(x)
	squares := 0.0
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	sorted := slices.Sorted(slices.Values(x))
	return Summary{
		Min:           sorted[0],
		FirstQuartile: (sorted[(n-1)/4] + sorted[n/4]) / 2,
		Median:        (sorted[(n-1)/2] + sorted[n/2]) / 2,
		ThirdQuartile: (sorted[n-1-(n-1)/4] + sorted[n-1-n/4]) / 2,
		Max:           sorted[n-1],
		Mean:          mean,
		Stddev:        math.Sqrt(squares / freedom(n)),
	}
}

// Rates describe the TEPS, traversed edges per second, of a list of searches.
type Rates struct {
	Min            float64 `json:"min"`
	FirstQuartile  float64 `json:"firstquartile"`
	Median         float64 `json:"median"`
	ThirdQuartile  float64 `json:"thirdquartile"`
	Max            float64 `json:"max"`
	HarmonicMean   float64 `json:"harmonic_mean"`
	HarmonicStddev float64 `json:"harmonic_stddev"` // standard error of the harmonic mean
}

// RatesOf summarises rates, given as seconds per edge because rates average in that domain: the slowest search
// gives the lowest rate, and the mean gives the harmonic mean. Its deviation is the standard error of Norris,
// "The Standard Errors of the Geometric and Harmonic Means and Their Application to Index Numbers" (1940).
func RatesOf(secondsPerEdge []float64) Rates {
	y := SummaryOf(secondsPerEdge)
	return Rates{
		Min:            1 / y.Max,
		FirstQuartile:  1 / y.ThirdQuartile,
		Median:         1 / y.Median,
		ThirdQuartile:  1 / y.FirstQuartile,
		Max:            1 / y.Min,
		HarmonicMean:   1 / y.Mean,
		HarmonicStddev: y.Stddev / (y.Mean * y.Mean * math.Sqrt(freedom(len(secondsPerEdge)))),
	}
}

// freedom is n-1, and 1 for a single value, whose deviation is then 0 and not undefined.
func freedom(n int) float64 { return float64(max(n-1, 1)) }

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Statistics are the figures derived from the searches of a kernel. Seconds is nil before the first search; the others
// are nil unless the run is valid.
type Statistics struct {
	Seconds         *Summary `json:"seconds"`
	Edges           *Summary `json:"edges"`
	TEPS            *Rates   `json:"teps"`
	ValidateSeconds *Summary `json:"validate_seconds"`
}

// Statistics derives the figures of one of the run's kernels that the run's state allows.
func (r *Run) Statistics(k KernelRun) Statistics {
	var st Statistics
	searches := k.Searches
	if len(searches) == 0 {
		return st
	}
	st.Seconds = summary(searches, func(s Search) float64 { return s.Seconds })
	if status, _ := r.verdict(); status == Valid {
		st.Edges = summary(searches, func(s Search) float64 { return float64(s.Edges) })
		st.ValidateSeconds = summary(searches, func(s Search) float64 { return s.ValidateSeconds })
		rates := RatesOf(column(searches, func(s Search) float64 { return s.Seconds / float64(s.Edges) }))
		st.TEPS = &rates
	}
	return st
}

func summary(searches []Search, of func(Search) float64) *Summary {
	s := SummaryOf(column(searches, of))
	return &s
}

// column collects one figure of every search.
func column(searches []Search, of func(Search) float64) []float64 {
	x := make([]float64, len(searches))
	for i, s := range searches {
		x[i] = of(s)
	}
	return x
}
