// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"g500/internal/trace"
)

// MeanLevel is one step of the mean of some searches. Its times, in seconds, are sums over all searches, divided by the
// number of those searches, even if some of them ended before the step. So the steps add up to the mean search.
type MeanLevel struct {
	Name                           string  // "level 3", "result order", a step of shortest paths, or RestOfSearch
	Depth                          int     // of a level: distance from the root; NoLevel for other steps
	Step                           string  // the step of most searches there, "" for the rest
	Variant                        string  // of most searches; if it has none and Name is no step, the step
	Searches                       int     // number of searches that have the step
	Seconds                        float64 // of the slowest rank
	Computing, Exchanging, Waiting float64 // parts of Seconds, means over ranks; 0 on one rank
	Frontier                       Summary // vertices, over the searches that have the step

	Ranks [][3]float64 // seconds of computing, exchanging and waiting by rank; nil on one rank
	Last  *[2]int      // the rank that is last in more than half of the searches, and in how many; else nil
}

// NoLevel is the depth of a step that is no level.
const NoLevel = -1

// RestOfSearch names the time of a search outside its steps: launches, and the host's clock.
const RestOfSearch = "rest"

// MeanLevels returns the steps of the mean search: the levels from the root's on, the result order if there is one, and
// the rest. It returns nil without a trace, and for SSSP, whose steps are no levels.
func (k KernelRun) MeanLevels() []MeanLevel {
	traced := k.Traced()
	if k.Kernel != BFS || len(traced) == 0 {
		return nil
	}
	rest := 0.0
	for _, s := range traced {
		rest += s.Seconds
		for _, l := range s.Trace {
			rest -= l.Seconds
		}
	}
	return append(MeanOf(k.Kernel, traced...), cost{seconds: max(rest, 0)}.mean(RestOfSearch, len(traced)))
}

// Traced returns the searches that have a trace.
func (k KernelRun) Traced() []Search {
	return slices.DeleteFunc(slices.Clone(k.Searches), func(s Search) bool { return len(s.Trace) == 0 })
}

// MeanOf returns the steps of the mean of searches of a kernel, the result order after all levels.
func MeanOf(kernel Kernel, searches ...Search) (steps []MeanLevel) {
	var sums []*stepSum
	for _, s := range searches {
		depth := 0
		for _, l := range s.Trace {
			name, at := l.Step, NoLevel
			if kernel == BFS && name != trace.ResultOrderStep {
				name, at = fmt.Sprintf("level %d", depth), depth
				depth++
			}
			i := slices.IndexFunc(sums, func(sum *stepSum) bool { return sum.name == name })
			if i < 0 {
				i, sums = len(sums), append(sums, &stepSum{name: name, depth: at,
					steps: map[string]int{}, variants: map[string]int{}})
			}
			sums[i].add(l)
		}
	}
	slices.SortStableFunc(sums, func(a, b *stepSum) int { return cmp.Compare(a.place(), b.place()) })
	for _, sum := range sums {
		steps = append(steps, sum.mean(len(searches)))
	}
	return steps
}

// stepSum sums up one step of several searches.
type stepSum struct {
	name            string
	depth           int
	steps, variants map[string]int // searches
	cost            cost
	frontier        []float64 // of each search
	last            []int     // by rank, the number of searches in which the others waited for it
}

// place sorts the result order after all levels, which a longer search may add after it.
func (s *stepSum) place() int {
	if s.name == trace.ResultOrderStep {
		return 1
	}
	return 0
}

func (s *stepSum) add(l Level) {
	variant := l.Variant
	if l.Step != s.name {
		variant = cmp.Or(l.Variant, l.Step)
	}
	s.variants[variant]++
	s.steps[l.Step]++
	s.frontier = append(s.frontier, float64(l.Frontier))
	s.cost.add(l)
	if l.Ranks == nil {
		return
	}
	if s.last == nil {
		s.last = make([]int, len(l.Ranks.Computing))
	}
	if slices.Max(l.Ranks.Waiting) > 0 {
		s.last[slices.Index(l.Ranks.Waiting, slices.Min(l.Ranks.Waiting))]++
	}
}

// mean divides the sum by the number of searches.
func (s *stepSum) mean(searches int) MeanLevel {
	m := s.cost.mean(s.name, searches)
	m.Depth, m.Step, m.Variant, m.Frontier = s.depth, commonest(s.steps), commonest(s.variants), SummaryOf(s.frontier)
	m.Searches = len(s.frontier)
	if len(s.last) > 0 && 2*slices.Max(s.last) > m.Searches {
		most := slices.Max(s.last)
		m.Last = &[2]int{slices.Index(s.last, most), most}
	}
	return m
}

// commonest returns the text with the largest number, the first in alphabetical order if there are several.
func commonest(numbers map[string]int) string {
	texts := slices.Sorted(maps.Keys(numbers))
	return slices.MaxFunc(texts, func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) })
}

// mean divides a sum over searches by their number.
func (c cost) mean(name string, searches int) MeanLevel {
	n, means := float64(searches), c.overRanks()
	m := MeanLevel{Name: name, Depth: NoLevel, Searches: searches, Seconds: c.seconds / n,
		Computing: means[0] / n, Exchanging: means[1] / n, Waiting: means[2] / n}
	for _, rank := range c.ranks {
		m.Ranks = append(m.Ranks, [3]float64{rank.times[0] / n, rank.times[1] / n, rank.times[2] / n})
	}
	return m
}
