package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"g500/analysis/collect"
	steps "g500/internal/trace"
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
	searches := slices.DeleteFunc(slices.Clone(r.Searches), func(s record.Search) bool { return len(s.Trace) == 0 })
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

// viewOf returns the mean of searches. Times of a step that some searches lack are divided by the number of all, so
// that the steps add up to the mean search; frontiers are means over the searches that have the step.
func viewOf(name string, kernel record.Kernel, searches ...record.Search) view {
	v := view{Name: name}
	sums := map[string]*stepSum{}
	var order []*stepSum
	for _, s := range searches {
		v.Seconds += s.Seconds
		level := 0
		for _, l := range s.Trace {
			name := l.Step
			if kernel == record.BFS && name != steps.ResultOrderStep {
				name = fmt.Sprintf("level %d", level)
				level++
			}
			if sums[name] == nil {
				sums[name] = &stepSum{name: name, variants: map[string]int{}}
				order = append(order, sums[name])
			}
			sums[name].add(l)
		}
	}
	slices.SortStableFunc(order, func(a, b *stepSum) int { return cmp.Compare(a.place(), b.place()) })
	n := float64(len(searches))
	for _, sum := range order {
		v.Steps = append(v.Steps, sum.mean(n))
	}
	v.Seconds = micro(v.Seconds / n)
	return v
}

// stepSum adds up one step of several searches.
type stepSum struct {
	name              string
	variants          map[string]int
	searches          int
	seconds, frontier float64
	ranks             [][3]float64
	last              []int // by rank, the number of searches in which the others waited for it
}

// place sorts the result order after all levels, which a longer search may add after it.
func (s *stepSum) place() int {
	if s.name == steps.ResultOrderStep {
		return 1
	}
	return 0
}

func (s *stepSum) add(l record.Level) {
	variant := l.Variant
	if l.Step != s.name {
		variant = cmp.Or(l.Variant, l.Step)
	}
	s.variants[variant]++
	s.searches++
	s.seconds += l.Seconds
	s.frontier += float64(l.Frontier)
	if l.Ranks == nil {
		return
	}
	if s.ranks == nil {
		s.ranks, s.last = make([][3]float64, len(l.Ranks.Computing)), make([]int, len(l.Ranks.Computing))
	}
	if slices.Max(l.Ranks.Waiting) > 0 {
		s.last[slices.Index(l.Ranks.Waiting, slices.Min(l.Ranks.Waiting))]++
	}
	for r := range s.ranks {
		for part, times := range [][]float64{l.Ranks.Computing, l.Ranks.Exchanging, l.Ranks.Waiting} {
			s.ranks[r][part] += times[r]
		}
	}
}

func (s *stepSum) mean(searches float64) step {
	frontier := math.Round(s.frontier / float64(s.searches))
	mean := step{Name: s.name, Searches: s.searches, Frontier: frontier, Seconds: micro(s.seconds / searches)}
	for variant, n := range s.variants {
		if most := s.variants[mean.Variant]; n > most || n == most && variant < mean.Variant {
			mean.Variant = variant
		}
	}
	mean.Ranks = shownRanks(s.ranks, searches)
	if len(s.last) > 0 && 2*slices.Max(s.last) > s.searches {
		most := slices.Max(s.last)
		mean.Last = &[2]int{slices.Index(s.last, most), most}
	}
	return mean
}

// mostRanks is the maximum number of ranks of a step in the page.
const mostRanks = 16

// shownRanks returns the number of each rank and its means of computing, exchanging and waiting. Of many ranks it
// returns some, evenly spread between the one that waits least and the one that waits most.
func shownRanks(sums [][3]float64, searches float64) (shown [][4]float64) {
	var order []int
	for r := range sums {
		order = append(order, r)
	}
	if n := len(order); n > mostRanks {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[a][2], sums[b][2]) })
		for i := range mostRanks {
			order[i] = order[i*(n-1)/(mostRanks-1)]
		}
		order = order[:mostRanks]
	}
	for _, r := range order {
		t := sums[r]
		shown = append(shown, [4]float64{float64(r), micro(t[0] / searches), micro(t[1] / searches), micro(t[2] / searches)})
	}
	return shown
}

// micro converts seconds to microseconds with two decimals.
func micro(seconds float64) float64 { return math.Round(1e8*seconds) / 100 }
