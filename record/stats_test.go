// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"slices"
	"testing"

	"g500/internal/expect"
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
		if got := RatesOf(c.y); !near(got.list(), c.want.list(), 1e-12) {
			t.Errorf("%s: got %+v, want %+v", c.meaning, got, c.want)
		}
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
	if st := r.Statistics(k); st.TEPS == nil || st.Foreign != nil {
		t.Errorf("without a count: %+v", st)
	}
	r.Simple = &SimpleGraph{Vertices: 4, Edges: 5}
	f := r.Statistics(k).Foreign
	if near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }; f == nil || !near(f.EVPS.HarmonicMean, 9/2.) ||
		!near(f.EVPS.Max, 9) || f.CuGraph == nil || !near(f.CuGraph.HarmonicMean, 5/2.) || !near(f.CuGraph.Min, 5/3.) {
		t.Fatalf("%+v", f)
	}
	r.EdgeFactor = 3 // four tuples are elsewhere
	if f = r.Statistics(k).Foreign; f == nil || f.CuGraph != nil || f.EVPS.Max != 9 {
		t.Errorf("with other components: %+v", f)
	}
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
	if p.Watts != 150 || p.JoulesPerSearch != 75 || p.TEPSPerWatt != 20.0/75 {
		t.Errorf("%g W, %g J, %g TEPS/W; want 150, 75 and 20/75", p.Watts, p.JoulesPerSearch, p.TEPSPerWatt)
	}
}
