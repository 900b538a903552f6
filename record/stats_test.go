// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"slices"
	"testing"

	"g500/internal/expect"
	"g500/internal/trace"
)

func upTo(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(n - i)
	}
	return x
}

func TestSummaryOf(t *testing.T) {
	for _, c := range []struct {
		meaning string
		x       []float64
		want    Summary
	}{
		{"one value has no deviation", []float64{7}, Summary{7, 7, 7, 7, 7, 7, 0}},
		{"two values, unsorted", []float64{3, 1}, Summary{1, 1, 2, 3, 3, 2, math.Sqrt2}},
		{"n a multiple of four: each quartile lies between two values",
			[]float64{4, 1, 3, 2}, Summary{1, 1.5, 2.5, 3.5, 4, 2.5, math.Sqrt(5. / 3)}},
		{"n odd: each quartile is a value", []float64{50, 10, 40, 20, 30}, Summary{10, 20, 30, 40, 50, 30, math.Sqrt(250)}},
		{"n even, not a multiple of four: only the median lies between two", upTo(6),
			Summary{1, 2, 3.5, 5, 6, 3.5, math.Sqrt(3.5)}},
		{"64 values: places 15 and 16, 31 and 32, 47 and 48 from 0",
			upTo(64), Summary{1, 16.5, 32.5, 48.5, 64, 32.5, math.Sqrt(64 * 65 / 12.)}},
		{"equal values do not vary", []float64{5, 5, 5}, Summary{5, 5, 5, 5, 5, 5, 0}},
	} {
		before := slices.Clone(c.x)
		expect.Equal(t, SummaryOf(c.x), c.want, c.meaning)
		expect.Equal(t, c.x, before, c.meaning)
	}
}

func TestRatesOf(t *testing.T) {
	for _, c := range []struct {
		meaning string
		y       []float64 // seconds per edge
		want    Rates
	}{
		{"one search has no deviation", []float64{0.25}, Rates{4, 4, 4, 4, 4, 4, 0}},
		{"rates 1, 2, 4", []float64{1, 0.5, 0.25},
			Rates{1, 1, 2, 4, 4, 12. / 7, 144. / 49 * math.Sqrt(7./96)}},
		{"quartiles are inverted after averaging: rates 1, 2, 4, 8", []float64{0.125, 1, 0.25, 0.5},
			Rates{1, 1 / 0.75, 1 / 0.375, 1 / 0.1875, 8, 32. / 15, 64 * math.Sqrt(115) / 675}},
	} {
		got := RatesOf(c.y)
		expect.That(t, near(got.list(), c.want.list(), 1e-12), "%s: got %+v, want %+v", c.meaning, got, c.want)
	}
}

func (r Rates) list() []float64 {
	return []float64{r.Min, r.FirstQuartile, r.Median, r.ThirdQuartile, r.Max, r.HarmonicMean, r.HarmonicStddev}
}

func near(a, b []float64, relative float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Abs(x-y) <= relative*max(math.Abs(x), math.Abs(y))
	})
}

// Two searches of a graph with 4 vertices and 5 edges, of which 8 tuples are in the component of the roots.
func TestForeignRatesByHand(t *testing.T) {
	k := KernelRun{Kernel: BFS, Keys: 2, Searches: []Search{
		{Key: 0, Root: 1, Seconds: 1, Edges: 7, EdgesWithLoops: 8, Reached: 4, Levels: 2},
		{Key: 1, Root: 2, Seconds: 3, Edges: 7, EdgesWithLoops: 8, Reached: 4, Levels: 2},
	}}
	r := &Run{Scale: 2, EdgeFactor: 2, Ranks: 1, Kernels: []KernelRun{k}}
	st := r.Statistics(k)
	expect.That(t, st.TEPS != nil && st.Foreign == nil, "without a count: %+v", st)
	r.Simple = &SimpleGraph{Vertices: 4, Edges: 5}
	f := r.Statistics(k).Foreign
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	expect.Must(t, f != nil && near(f.EVPS.HarmonicMean, 9/2.) && near(f.EVPS.Max, 9) && f.CuGraph != nil &&
		near(f.CuGraph.HarmonicMean, 5/2.) && near(f.CuGraph.Min, 5/3.), "%+v", f)
	r.EdgeFactor = 3 // four tuples are elsewhere
	f = r.Statistics(k).Foreign
	expect.That(t, f != nil && f.CuGraph == nil && f.EVPS.Max == 9, "with other components: %+v", f)
	r.Kernels[0].Searches[0].Fault = "rule 1"
	expect.Equal(t, r.Statistics(r.Kernels[0]).Foreign, nil)
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		format func(float64) string
		x      float64
		want   string
	}{
		{FormatSeconds, 0.0147, "14.7 ms"}, {FormatSeconds, 0.0001, "100 us"}, {FormatSeconds, 0.00001, "10.0 us"},
		{FormatSeconds, 0.001, "1.00 ms"}, {FormatSeconds, 1, "1.00 s"}, {FormatSeconds, 0.0009996, "1.00 ms"},
		{FormatSeconds, 0.0009994, "999 us"}, {FormatSeconds, 59.96, "60.0 s"}, {FormatSeconds, 1234.5, "1234 s"},
		{FormatSeconds, 3.2e-9, "3.20 ns"}, {FormatSeconds, 5e-12, "0.00500 ns"}, {FormatSeconds, 0, "0.00 s"},
		{FormatBytes, 0, "0.00 B"}, {FormatBytes, 1, "1.00 B"}, {FormatBytes, 135e6, "135 MB"},
		{FormatBytes, 3.35e12, "3.35 TB"}, {FormatBytes, 999.9e9, "1.00 TB"},
		{FormatTEPS, 1.14e9, "1.14 GTEPS"}, {FormatTEPS, 116.006e6, "116 MTEPS"}, {FormatTEPS, 999.7e6, "1.00 GTEPS"},
		{FormatTEPS, 814320, "814 kTEPS"}, {FormatTEPS, 12, "12.0 TEPS"}, {FormatTEPS, 0.5, "0.500 TEPS"},
		{FormatTEPS, 3.122e12, "3.12 TTEPS"}, {FormatTEPS, 1.98e14, "198 TTEPS"}, {FormatTEPS, 0, "0.00 TEPS"},
	} {
		expect.Equal(t, c.format(c.x), c.want, c.x)
	}
}

// metered is the small run with its power measured by two meters.
func metered() *Run {
	r := small()
	r.Kernels[0].Power = &Power{
		Watts: 700.5, JoulesPerSearch: 0.42, TEPSPerWatt: 2.5e9, Searches: 12800, Seconds: 10.04, PeriodSeconds: 0.01,
		Meters: []Meter{
			{Source: "NVML", Covers: "the card of GPU 0", Watts: 600.5, Seconds: 9.9, Reads: 1003, Updates: 99,
				RelativeError: 0.001},
			{Source: "RAPL", Covers: "the processors of n0", Watts: 100, Seconds: 10, Reads: 1004, Updates: 1003,
				RelativeError: 0.002},
		},
	}
	return r
}

// Green Graph500 rules 1.1: the power of all meters, the energy of one of all searches, and edges per energy.
func TestPowerByHand(t *testing.T) {
	p := Power{Meters: []Meter{{Watts: 100}, {Watts: 50}}, Searches: 6, Seconds: 3}
	p.Derive([]Search{{Edges: 10}, {Edges: 30}}) // in three rounds
	expect.That(t, p.Watts == 150 && p.JoulesPerSearch == 75 && p.TEPSPerWatt == 20.0/75,
		"%g W, %g J, %g TEPS/W; want 150, 75 and 20/75", p.Watts, p.JoulesPerSearch, p.TEPSPerWatt)
}

// traced is the small run with a trace of two searches on three ranks. In levels the last rank computes for twice as
// long as the others. The first search has no bottom-up level, the second ends top-down.
func traced() *Run {
	r := small()
	r.Kernels[0].Searches[2].Trace = []Level{ // 600 us of 1,000
		topDown(1, 3, 280e-6),
		inResultOrder(320e-6),
	}
	r.Kernels[0].Searches[3].Trace = []Level{ // 4,700 us of 5,000
		topDown(1, 4, 200e-6),
		topDown(4, 40, 320e-6),
		bottomUp(2000e-6),
		bottomUp(1000e-6),
		bottomUp(480e-6),
		topDown(2, 5, 80e-6),
		inResultOrder(620e-6),
	}
	return r
}

// topDown sends pairs by both transports.
func topDown(frontier, edges int64, seconds float64) Level {
	l := Level{Step: "top-down", Frontier: frontier, Edges: edges, Seconds: seconds, Ranks: costs(seconds, 2)}
	l.Ranks.Traffic = []Traffic{
		{"bins", "peer", []int64{800, 0, 1600}, []int64{1600, 800, 0}},
		{"bins", "mpi", []int64{8, 16, 24}, []int64{40, 8, 0}},
	}
	return l
}

// bottomUp sends words of the bitmap to peers, and sums to all.
func bottomUp(seconds float64) Level {
	l := Level{Step: trace.BottomUpStep, Frontier: 10, Seconds: seconds, Variant: "pull", Ranks: costs(seconds, 2)}
	l.Ranks.Traffic = []Traffic{
		{"bitmap", "peer", []int64{20000, 20000, 20000}, []int64{40000, 40000, 40000}},
		{"sums", "mpi", []int64{64, 64, 64}, []int64{64, 64, 64}},
	}
	return l
}

func inResultOrder(seconds float64) Level {
	return Level{Step: trace.ResultOrderStep, Seconds: seconds, Ranks: costs(seconds, 1)}
}

// costs has ranks that compute for 25% of the time, the last for several times that, and exchange for 12.5%.
func costs(seconds, last float64) *RankCosts {
	c, x := seconds/4, seconds/8
	return &RankCosts{
		Computing:  []float64{c, c, last * c},
		Exchanging: []float64{x, x, x},
		Waiting:    []float64{seconds - c - x, seconds - c - x, seconds - last*c - x},
	}
}

// tracedAlone is the same run on one rank, which has no costs of ranks.
func tracedAlone() *Run {
	r := traced()
	r.Ranks = 1
	for _, s := range r.Kernels[0].Searches {
		for i := range s.Trace {
			s.Trace[i].Ranks = nil
		}
	}
	return r
}

// Two searches of 1,000 and 5,000 us: the first has one level, the second six, and both the result order.
func TestMeanLevels(t *testing.T) {
	levels := traced().Kernels[0].MeanLevels()
	const us = 1e-6
	for i, want := range []MeanLevel{
		{Name: "level 0", Step: "top-down", Searches: 2, Seconds: 240 * us}, // (280 + 200) / 2
		{Name: "level 1", Step: "top-down", Searches: 1, Seconds: 160 * us}, // 320 / 2
		{Name: "level 2", Step: "bottom-up", Searches: 1, Seconds: 1000 * us},
		{Name: "level 3", Step: "bottom-up", Searches: 1, Seconds: 500 * us},
		{Name: "level 4", Step: "bottom-up", Searches: 1, Seconds: 240 * us},
		{Name: "level 5", Step: "top-down", Searches: 1, Seconds: 40 * us},
		{Name: "result order", Step: "result order", Searches: 2, Seconds: 470 * us},
		{Name: "rest", Searches: 2, Seconds: 350 * us}, // (400 + 300) / 2
	} {
		got := levels[i]
		expect.That(t, got.Name == want.Name && got.Step == want.Step && got.Searches == want.Searches &&
			math.Abs(got.Seconds-want.Seconds) <= 1e-12, "step %d is %+v, want %+v", i, got, want)
	}
	frontier := levels[1].Frontier
	expect.That(t, len(levels) == 8 && frontier.Min == 4 && frontier.Max == 4, "%d steps, %+v", len(levels), frontier)
	first := levels[0] // the last of three ranks computes for two quarters, the others for one; all exchange for an eighth
	near := math.Abs
	expect.That(t, near(first.Computing-80*us) <= 1e-12 && near(first.Exchanging-30*us) <= 1e-12 &&
		near(first.Waiting-130*us) <= 1e-12, "level 0 is %+v", first)
	alone := tracedAlone().Kernels[0].MeanLevels()[0]
	expect.That(t, alone.Computing == 0 && alone.Exchanging == 0 && alone.Waiting == 0,
		"one rank has the times of an exchange: %+v", alone)
}

// A job of four ranks on two nodes, each with a GPU.
func TestSlowRanksAndNodesAreNamed(t *testing.T) {
	const cure = ": compare its clocks and its other processes"
	for _, c := range []struct {
		name    string
		seconds []float64
		want    []string
	}{
		{"alike", []float64{10, 10.2, 10.1, 11}, nil},
		{"no times", nil, nil},
		{"one rank", []float64{10, 10, 15, 10},
			[]string{"rank 2 (b, GPU 0): graph generation took 15.0 s, 1.50 times the median rank's" + cure}},
		{"a node", []float64{10, 10, 20, 30},
			[]string{"all 2 ranks of node b: graph generation took 30.0 s, 3.00 times the median rank's" + cure}},
		{"a difference that is noise", []float64{0.01, 0.01, 0.09, 0.01}, nil},
	} {
		r := Run{Ranks: 4, RankGenerationSeconds: c.seconds, Environment: Environment{
			Nodes: []string{"a", "a", "b", "b"}, RankDevices: []string{"GPU 0", "GPU 1", "GPU 0", "GPU 1"}}}
		expect.Equal(t, r.Slow(), c.want, c.name)
	}
}
