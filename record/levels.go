package record

import (
	"fmt"

	"g500/internal/trace"
)

// MeanLevel is one step of the mean search of a kernel. Its times, in seconds, are sums over all searches with a trace,
// divided by the number of those searches, even if some of them ended before the step. So the steps add up to the mean
// search.
type MeanLevel struct {
	Name                           string  // "level 3", "result order", or RestOfSearch
	Depth                          int     // of a level: distance from the root; NoLevel for other steps
	Step                           string  // the step of most searches there, "" for the rest
	Searches                       int     // number of searches that have the step
	Seconds                        float64 // of the slowest rank
	Computing, Exchanging, Waiting float64 // parts of Seconds, means over ranks; 0 on one rank
	Frontier                       Summary // vertices, over the searches that have the step; of levels only
}

// NoLevel is the depth of a step that is no level.
const NoLevel = -1

// RestOfSearch names the time of a search outside its steps: launches, and the host's clock.
const RestOfSearch = "rest"

// MeanLevels returns the steps of the mean search: the levels from the root's on, the result order if there is one, and
// the rest. It returns nil without a trace, and for SSSP, whose steps are no levels.
func (k KernelRun) MeanLevels() []MeanLevel {
	if k.Kernel != BFS {
		return nil
	}
	var depths []levelSum // by distance from the root
	order := levelSum{searches: map[string]int{}}
	traced, rest := 0, 0.0
	for _, s := range k.Searches {
		if len(s.Trace) == 0 {
			continue
		}
		traced++
		rest += s.Seconds
		depth := 0
		for _, l := range s.Trace {
			rest -= l.Seconds
			if l.Step == trace.ResultOrderStep {
				order.add(l)
				continue
			}
			if depth == len(depths) {
				depths = append(depths, levelSum{searches: map[string]int{}})
			}
			depths[depth].add(l)
			depth++
		}
	}
	if traced == 0 {
		return nil
	}
	var levels []MeanLevel
	for depth, sum := range depths {
		level := sum.mean(fmt.Sprintf("level %d", depth), traced)
		level.Depth, level.Frontier = depth, SummaryOf(sum.frontier)
		levels = append(levels, level)
	}
	if len(order.frontier) > 0 {
		levels = append(levels, order.mean(trace.ResultOrderStep, traced))
	}
	return append(levels, restOf(rest, traced))
}

// levelSum sums up one level of all traced searches.
type levelSum struct {
	searches map[string]int // by step
	cost     cost
	frontier []float64 // of each search
}

func (s *levelSum) add(l Level) {
	s.searches[l.Step]++
	s.frontier = append(s.frontier, float64(l.Frontier))
	s.cost.add(l)
}

// mean divides the sum by the number of traced searches.
func (s *levelSum) mean(name string, traced int) MeanLevel {
	m := s.cost.mean(name, traced)
	m.Searches = len(s.frontier)
	for step, searches := range s.searches {
		if most := s.searches[m.Step]; searches > most || searches == most && step < m.Step {
			m.Step = step
		}
	}
	return m
}

// mean divides a sum over searches by their number.
func (c cost) mean(name string, searches int) MeanLevel {
	n := float64(searches)
	return MeanLevel{
		Name: name, Depth: NoLevel, Searches: searches, Seconds: c.seconds / n,
		Computing: c.computing / n, Exchanging: c.exchanging / n, Waiting: c.waiting / n,
	}
}

// restOf returns the mean of the time outside the steps, in seconds over all searches.
func restOf(seconds float64, searches int) MeanLevel {
	return cost{seconds: max(seconds, 0)}.mean(RestOfSearch, searches)
}
