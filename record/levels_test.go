package record

import (
	"math"
	"testing"
)

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
}
