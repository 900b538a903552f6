// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"g500/analysis/collect"
	"g500/record"
)

// trace is the levels of one run: of the mean search, and of single searches.
type trace struct {
	Views list[view] `json:"views"`
}

// view is one search by step. Times are in microseconds.
type view struct {
	Name    string     `json:"name"`
	Seconds float64    `json:"us"`
	Steps   list[step] `json:"steps"`
}

// step is one step of a search.
type step struct {
	Name     string       `json:"name"`
	Variant  string       `json:"variant,omitempty"`
	Frontier float64      `json:"frontier,omitempty"`
	Seconds  float64      `json:"us"`
	Searches int          `json:"n"`               // that have the step
	Last     *[2]int      `json:"last,omitempty"`  // the rank that is last in more than half, and in how many
	Ranks    [][4]float64 `json:"ranks,omitempty"` // see shownRanks; nil on one rank
}

// traceOf returns the trace of a run; false without one.
func traceOf(r *collect.Run) (t trace, traced bool) {
	searches := r.Traced()
	if len(searches) == 0 {
		return t, false
	}
	slices.SortFunc(searches, func(a, b record.Search) int { return cmp.Compare(a.Seconds, b.Seconds) })
	t.Views = append(t.Views, viewOf(fmt.Sprintf("mean of %d searches", len(searches)), r.Kernel, searches...))
	median, slowest := searches[(len(searches)-1)/2], searches[len(searches)-1]
	if len(searches) > 2 {
		t.Views = append(t.Views, viewOf(fmt.Sprintf("median search (key %d)", median.Key), r.Kernel, median))
	}
	if len(searches) > 1 {
		t.Views = append(t.Views, viewOf(fmt.Sprintf("slowest search (key %d)", slowest.Key), r.Kernel, slowest))
	}
	return t, true
}

// viewOf returns the mean of searches.
func viewOf(name string, kernel record.Kernel, searches ...record.Search) view {
	v := view{Name: name}
	for _, s := range searches {
		v.Seconds += s.Seconds
	}
	v.Seconds = micro(v.Seconds / float64(len(searches)))
	for _, l := range record.MeanOf(kernel, searches...) {
		v.Steps = append(v.Steps, step{Name: l.Name, Variant: l.Variant, Frontier: math.Round(l.Frontier.Mean),
			Seconds: micro(l.Seconds), Searches: l.Searches, Last: l.Last, Ranks: shownRanks(l.Ranks)})
	}
	return v
}

// mostRanks is the maximum number of ranks of a step in the page.
const mostRanks = 16

// shownRanks returns the number of each rank and its times of computing, exchanging and waiting. Of many ranks it
// returns some, evenly spread between the one that waits least and the one that waits most.
func shownRanks(means [][3]float64) (shown [][4]float64) {
	var order []int
	for r := range means {
		order = append(order, r)
	}
	if n := len(order); n > mostRanks {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[a][2], means[b][2]) })
		for i := range mostRanks {
			order[i] = order[i*(n-1)/(mostRanks-1)]
		}
		order = order[:mostRanks]
	}
	for _, r := range order {
		t := means[r]
		shown = append(shown, [4]float64{float64(r), micro(t[0]), micro(t[1]), micro(t[2])})
	}
	return shown
}

// micro converts seconds to microseconds with two decimals.
func micro(seconds float64) float64 { return math.Round(1e8*seconds) / 100 }
