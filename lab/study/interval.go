// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"slices"
)

const (
	// leastRounds is the least number of sources or runs for a verdict.
	leastRounds = 32
	// outside is the highest probability with which an interval may miss its median. A study has tens of claims; with 5%
	// some would get a verdict by chance.
	outside = 0.01
)

// sample has the logarithms of a figure by source or run, for each graph.
type sample [][]float64

// Interval is a figure with its bounds, and the number of sources or runs.
type Interval struct {
	Figure   float64 `json:"figure"` // median; over several graphs the geometric mean of their medians
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Coverage float64 `json:"coverage,omitempty"` // with which such intervals include the median, at least
	N        int     `json:"n"`                  // on the graph with the fewest; 0: none are stored
}

// interval returns the figure and its interval between two order statistics (David, Nagaraja, Order Statistics, 7.1),
// which needs no assumption on the distribution of independent values: its coverage follows from the binomial
// distribution. The interval of a mean over graphs is the sum of their intervals, and misses if one of them does.
func (s sample) interval() Interval {
	i := Interval{Coverage: 1, N: math.MaxInt}
	var figure, low, high float64
	for _, logs := range s {
		sorted, n := slices.Sorted(slices.Values(logs)), len(logs)
		rank, misses := enclosing(n, outside/float64(len(s)))
		i.Coverage, i.N = i.Coverage-misses, min(i.N, n)
		figure += (sorted[(n-1)/2] + sorted[n/2]) / 2
		low, high = low+sorted[rank], high+sorted[n-1-rank]
	}
	k := float64(len(s))
	i.Figure, i.Low, i.High = math.Exp(figure/k), math.Exp(low/k), math.Exp(high/k)
	return i
}

// enclosing returns the highest rank for which the median of a distribution is between the value with this rank, from
// 0, and the value with this rank from above, among n independent values, except with probability most; and the
// probability with which it is not, which at most rank heads, or tails, among n coins have. Rank 0 is always possible.
func enclosing(n int, most float64) (rank int, misses float64) {
	coins := math.Exp2(float64(1 - n))
	for misses = coins; rank+1 <= (n-1)/2; rank++ {
		coins *= float64(n-rank) / float64(rank+1)
		if misses+coins > most {
			break
		}
		misses += coins
	}
	return rank, misses
}

// in reports whether the whole interval is in a range.
func (i Interval) in(s span) bool { return i.Low >= s.low && i.High <= s.high }

// misses reports whether no figure of the interval is in a range.
func (i Interval) misses(s span) bool { return i.High < s.low || i.Low > s.high }
