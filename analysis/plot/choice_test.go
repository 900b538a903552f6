package plot

import (
	"fmt"
	"slices"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/scale"
	"g500/record"
)

func TestFew(t *testing.T) {
	for n, want := range map[int][]int{0: nil, 2: {1, 2}, 3: {1, 2, 3}, 4: {1, 2, 4}, 5: {1, 3, 5}, 8: {1, 4, 8}} {
		var all []int
		for i := range n {
			all = append(all, i+1)
		}
		if got := few(all); !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", n, got, want)
		}
	}
}

// at returns a point of one run.
func at(k collect.Kind, scale, ranks int, teps float64) collect.Point {
	run := &collect.Run{Kind: k, Run: &record.Run{Scale: scale, Ranks: ranks}}
	return collect.Point{Kind: k, Scale: scale, Ranks: ranks, Runs: []*collect.Run{run},
		TEPS: collect.Spread{Min: teps, Median: teps, Max: teps}}
}

var (
	card     = collect.Kind{Machine: "card"}
	relayed  = collect.Kind{Machine: "card", Variant: "carrier mpi"}
	oneEach  = collect.Kind{Machine: "host", Threads: 1}
	twoEach  = collect.Kind{Machine: "host", Threads: 2}
	otherRun = collect.Kind{Machine: "card", Study: "s"}
)

// The fastest settings for each machine and number of GPUs or threads have a line; the highest line comes first.
func TestLinesOverScale(t *testing.T) {
	var got []string
	for _, l := range bestLines([]collect.Point{
		at(card, 26, 1, 10), at(card, 27, 1, 11), at(card, 26, 2, 19), at(relayed, 26, 2, 12), at(relayed, 27, 2, 13),
		at(otherRun, 26, 2, 5),
		at(oneEach, 20, 2, 3), at(twoEach, 20, 1, 4), at(oneEach, 20, 1, 2),
	}) {
		got = append(got, fmt.Sprintf("%v, %d: %d points", l.kind, l.ranks, len(l.points)))
	}
	want := []string{"card, 2: 1 points", "card, 1: 2 points", "s, card, 2: 1 points",
		"host, 2 threads per rank, 1: 1 points", "host, 1 thread per rank, 1: 1 points"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The fastest settings for each graph have a line, and for each kind the series with the most points, of a few scales.
func TestLinesOverRanks(t *testing.T) {
	points := []collect.Point{at(relayed, 24, 1, 5), at(relayed, 24, 4, 6), at(card, 30, 1, 10), at(card, 30, 2, 18)}
	for scale := 24; scale < 29; scale++ {
		points = append(points, at(card, scale, 1, 10), at(card, scale, 2, 17), at(card, scale, 4, 30))
	}
	var got []string
	for _, s := range bestSeries(collect.SeriesBy(scale.Strong, points)) {
		got = append(got, fmt.Sprintf("%v: %d of %d", s.Kind, s.Scale, len(s.Points)))
	}
	if want := []string{"card: 24 of 3", "card: 26 of 3", "card: 28 of 3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
