// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/internal/trace"
)

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

// Figures of the golden file computed by hand. Two searches were traced, of 1,000 and 5,000 us.
func TestTraceTable(t *testing.T) {
	table := strings.Join(strings.Fields(traced().Kernels[0].traceTable()), " ")
	for _, want := range map[string]string{
		"800 us halved; 1/3 of it, 1/8, the rest; two quarters over 4/3 quarters": "before bottom-up " +
			"400.0 13.3% 133.3 50.0 216.7 1.50",
		"one of two searches has it":                "first bottom-up 1000.0 33.3%",
		"bottom-up or top-down":                     "later levels 280.0 9.3%",
		"all ranks alike":                           "result order 470.0 15.7% 117.5 58.8 293.8 1.00",
		"6,000 less 5,300 us":                       "rest 350.0 11.7%",
		"all of the searches":                       "whole search 3000.0 100.0%",
		"mean of three ranks, three levels, halved": "before bottom-up 24.0 B 0 1.20 kB 0",
		"4,360 us of levels and 940 of result order, by halves and quarters": "rank 2 1207.5",
	} {
		expect.Contains(t, table, want)
	}
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
		if got.Name != want.Name || got.Step != want.Step || got.Searches != want.Searches ||
			math.Abs(got.Seconds-want.Seconds) > 1e-12 {
			t.Errorf("step %d is %+v, want %+v", i, got, want)
		}
	}
	if got := levels[1].Frontier; len(levels) != 8 || got.Min != 4 || got.Max != 4 {
		t.Errorf("%d steps, frontier of level 1 %+v", len(levels), got)
	}
	first := levels[0] // the last of three ranks computes for two quarters, the others for one; all exchange for an eighth
	if near := math.Abs; near(first.Computing-80*us) > 1e-12 || near(first.Exchanging-30*us) > 1e-12 ||
		near(first.Waiting-130*us) > 1e-12 {
		t.Errorf("level 0 is %+v", first)
	}
}

func TestMeanLevelsOfOneRank(t *testing.T) {
	for _, l := range tracedAlone().Kernels[0].MeanLevels() {
		if l.Computing != 0 || l.Exchanging != 0 || l.Waiting != 0 {
			t.Errorf("one rank has the times of an exchange: %+v", l)
		}
	}
	if k := small().Kernels[0]; k.MeanLevels() != nil || k.traceTable() != "" {
		t.Error("a run without a trace has levels or a table")
	}
}

// onTwoNodes has four ranks on two nodes, each with a GPU.
func onTwoNodes() *Run {
	return &Run{Ranks: 4, Environment: Environment{
		Nodes:       []string{"a", "a", "b", "b"},
		RankDevices: []string{"GPU 0", "GPU 1", "GPU 0", "GPU 1"},
	}}
}

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
		r := onTwoNodes()
		r.RankGenerationSeconds = c.seconds
		expect.Equal(t, r.Slow(), c.want, c.name)
	}
}
