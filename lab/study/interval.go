// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// leastSources is the least number of sources or runs for an interval.
	leastSources = 6
	// confidence of each interval. A study has tens of claims; at 95% some would get a verdict by chance.
	confidence = 0.99
	replicates = 4000
)

// sample is the logarithm of a figure, as a weighted sum of means: one mean if ratios are paired by source, two if runs
// have no pairs. A mean over graphs is the sum of all their means.
type sample []stratum

// stratum has the logarithms of independent measurements.
type stratum struct {
	weight float64
	logs   []float64
}

// Interval is a figure with its bounds, and the number of sources or runs.
type Interval struct {
	Figure float64 `json:"figure"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	N      int     `json:"n"` // 0: none are stored
}

// interval returns the figure and its percentile bootstrap interval. A replicate draws n-1 of n measurements, with
// which its variance is unbiased (Rao, Wu, JASA 1988). Of samples of normal numbers, 93% of 6 have an interval that
// includes the mean, 96% of 8, 98% of 16 and 99% of 64. The same sample has the same interval.
func (s sample) interval() Interval {
	random := rand.New(rand.NewPCG(1, 2))
	logs := make([]float64, replicates)
	sum, n := 0.0, math.MaxInt
	for _, of := range s {
		n = min(n, len(of.logs))
		mean := 0.0
		for _, x := range of.logs {
			mean += x / float64(len(of.logs))
		}
		sum += of.weight * mean
		for i := range logs {
			logs[i] += of.weight * of.resampled(random)
		}
	}
	slices.Sort(logs)
	tail := int(replicates * (1 - confidence) / 2)
	low, high := logs[tail], logs[replicates-1-tail]
	return Interval{Figure: math.Exp(sum), Low: math.Exp(low), High: math.Exp(high), N: n}
}

// resampled returns the mean of n-1 measurements, drawn with replacement.
func (s stratum) resampled(random *rand.Rand) float64 {
	n := max(len(s.logs)-1, 1)
	sum := 0.0
	for range n {
		sum += s.logs[random.IntN(len(s.logs))]
	}
	return sum / float64(n)
}

// inverse returns the interval of the reciprocal.
func (i Interval) inverse() Interval {
	return Interval{Figure: 1 / i.Figure, Low: 1 / i.High, High: 1 / i.Low, N: i.N}
}
