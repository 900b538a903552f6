// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"slices"

	"g500/internal/lists"
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

// SummaryOf summarises x, which must not be empty. The specification does not define the quartiles. These are the
// quartiles of the Graph500 reference code (src/main.c: get_statistics) for any n: the mean of the values at indices
// (n-1)/4 and n/4 from either end. A single value has deviation 0; the reference code's formula divides 0 by 0. If
// a value is not finite, all figures are NaN.
func SummaryOf(x []float64) Summary {
	n := len(x)
	mean := Mean(x)
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		none := math.NaN()
		return Summary{none, none, none, none, none, none, none}
	}
	squares := lists.Sum(x, func(v float64) float64 { return (v - mean) * (v - mean) })
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

// Rates describes the TEPS (traversed edges per second) of a list of searches.
type Rates struct {
	Min            float64 `json:"min"`
	FirstQuartile  float64 `json:"firstquartile"`
	Median         float64 `json:"median"`
	ThirdQuartile  float64 `json:"thirdquartile"`
	Max            float64 `json:"max"`
	HarmonicMean   float64 `json:"harmonic_mean"`
	HarmonicStddev float64 `json:"harmonic_stddev"` // standard error of the harmonic mean
}

// RatesOf summarises rates, given as seconds per edge: the slowest search has the lowest rate, and the mean gives the
// harmonic mean. Its deviation is the standard error of Norris, "The Standard Errors of the Geometric and Harmonic
// Means and Their Application to Index Numbers" (1940).
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

// freedom returns n-1, and 1 for a single value, whose deviation is then 0 instead of undefined.
func freedom(n int) float64 { return float64(max(n-1, 1)) }

// Mean returns the mean of values, NaN if there are none.
func Mean(x []float64) float64 {
	return lists.Sum(x, func(v float64) float64 { return v }) / float64(len(x))
}

// Statistics has the figures derived from the searches of a kernel. Seconds is nil before the first search; the others
// are nil unless the run is valid.
type Statistics struct {
	Seconds         *Summary `json:"seconds"`          // of a search
	Edges           *Summary `json:"edges"`            // of a search: tuples in the component, without self-loops
	TEPS            *Rates   `json:"teps"`             // traversed edges per second, as Graph500 counts them
	ValidateSeconds *Summary `json:"validate_seconds"` // of a search's validation
	// Rates as other benchmarks count edges, not comparable with Graph500's; nil unless the run is valid and kernel 1
	// counted the simple graph.
	Foreign *ForeignRates `json:"not_comparable_with_graph500,omitempty"`
}

// Statistics derives the figures of one of the run's kernels. A run whose edges were counted without validation has
// edges and rates, too.
func (r *Run) Statistics(k KernelRun) (st Statistics) {
	if len(k.Searches) == 0 {
		return st
	}
	var seconds, edges, validation, perEdge []float64
	for _, s := range k.Searches {
		seconds, edges = append(seconds, s.Seconds), append(edges, float64(s.Edges))
		validation, perEdge = append(validation, s.ValidateSeconds), append(perEdge, s.Seconds/float64(s.Edges))
	}
	summary := func(x []float64) *Summary { s := SummaryOf(x); return &s }
	st.Seconds = summary(seconds)
	status, _ := r.verdict()
	if status == Valid || status == Unvalidated && r.Counted {
		rates := RatesOf(perEdge)
		st.Edges, st.TEPS = summary(edges), &rates
	}
	if status == Valid {
		st.ValidateSeconds, st.Foreign = summary(validation), r.foreignRates(k)
	}
	return st
}

// ForeignRates are the rates of a kernel's searches as other benchmarks count edges. Graph500 counts the edge tuples of
// the root's component, with duplicates: rates of different benchmarks are not comparable.
type ForeignRates struct {
	// Edges and vertices per second of LDBC Graphalytics 1.0 (section "Metrics"): edges and vertices of the simple graph
	// over the time of a search.
	EVPS Rates `json:"ldbc_graphalytics_evps"`
	// Undirected edges per second of cuGraph's Graph500 drivers (cpp/tests/traversal): edges of the root's component in
	// the simple graph. It is nil if a component may lack more than 0.1% of the edges.
	CuGraph *Rates `json:"cugraph_driver_teps,omitempty"`
}

// leastOutside is the largest share of the simple graph's edges that may be outside a root's component for CuGraph,
// because kernel 1 counts the edges of all components together. In official graphs the share is far below.
const leastOutside = 1e-3

// foreignRates returns the rates of a valid kernel, nil if the simple graph is unknown.
func (r *Run) foreignRates(k KernelRun) *ForeignRates {
	g := r.Simple
	if g == nil || g.Edges < 1 {
		return nil
	}
	var evps, edges []float64
	for _, s := range k.Searches {
		evps = append(evps, s.Seconds/float64(g.Vertices+g.Edges))
		outside := r.tuples() - s.EdgesWithLoops // with duplicates and self-loops: at least as many
		if float64(outside) <= leastOutside*float64(g.Edges) {
			edges = append(edges, s.Seconds/float64(g.Edges))
		}
	}
	rates := &ForeignRates{EVPS: RatesOf(evps)}
	if len(edges) == len(k.Searches) {
		of := RatesOf(edges)
		rates.CuGraph = &of
	}
	return rates
}
