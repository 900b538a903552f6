package record

import (
	"fmt"

	"g500/internal/trace"
)

// MeanLevel is one step of the mean search of a kernel. Its times, in seconds, are sums over all searches with a trace,
// divided by the number of those searches, even if some of them ended before the step. So the steps add up to the mean
// search.
type MeanLevel struct {
	Name                           string  // "level 3", "label order", or RestOfSearch
	Depth                          int     // of a level: distance from the root; NoLevel for other steps
	Step                           string  // what most searches did there, "" for the rest
	Searches                       int     // that came so far
	Seconds                        float64 // of the slowest rank
	Computing, Exchanging, Waiting float64 // parts of Seconds, means over ranks; 0 where one rank searched
	Frontier                       Summary // vertices, of the searches that came so far; of levels only
}

// NoLevel is the depth of a step that is no level.
const NoLevel = -1

// RestOfSearch names the time of a search outside its steps: launches, and the host's clock.
const RestOfSearch = "rest"

// MeanLevels are the steps of the mean search: the levels from the root's on, the label order if there is one, the
// rest. A kernel without a trace has none, and neither has SSSP, because its steps are no levels.
func (k KernelRun) MeanLevels() []MeanLevel {
	if k.Kernel != BFS {
		return nil
	}
	var depths []levelSum // by distance from the root
	var order levelSum
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
				depths = append(depths, levelSum{})
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
	return append(levels, restOf(traced, rest))
}

// levelSum is what all traced searches of a run spent on one step.
type levelSum struct {
	searches map[string]int // by what they did
	cost     cost
	frontier []float64 // of each search
}

func (s *levelSum) add(l Level) {
	if s.searches == nil {
		s.searches = map[string]int{}
	}
	s.searches[l.Step]++
	s.frontier = append(s.frontier, float64(l.Frontier))
	s.cost.seconds += l.Seconds
	if l.Ranks != nil {
		s.cost.computing += meanOf(l.Ranks.Computing)
		s.cost.exchanging += meanOf(l.Ranks.Exchanging)
		s.cost.waiting += meanOf(l.Ranks.Waiting)
	}
}

// mean is the step of the mean of all traced searches.
func (s *levelSum) mean(name string, traced int) MeanLevel {
	n := float64(traced)
	m := s.cost.mean(name, n)
	m.Searches = len(s.frontier)
	for step, searches := range s.searches {
		if most := s.searches[m.Step]; searches > most || searches == most && step < m.Step {
			m.Step = step
		}
	}
	return m
}

// mean is the step of the mean of n searches.
func (c cost) mean(name string, n float64) MeanLevel {
	return MeanLevel{
		Name: name, Depth: NoLevel, Searches: int(n), Seconds: c.seconds / n,
		Computing: c.computing / n, Exchanging: c.exchanging / n, Waiting: c.waiting / n,
	}
}

// restOf is the time outside the steps of traced searches, in the mean of them.
func restOf(traced int, seconds float64) MeanLevel {
	return cost{seconds: max(seconds, 0)}.mean(RestOfSearch, float64(traced))
}
