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
	Step                           string  // what most searches did there, "" for the rest
	Searches                       int     // that came so far
	Seconds                        float64 // of the slowest rank
	Computing, Exchanging, Waiting float64 // parts of Seconds, means over ranks; 0 where one rank searched
	Frontier                       Summary // vertices, of the searches that came so far; of levels only
}

// RestOfSearch names what a search takes beside its steps: launches, and the host's clock.
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
			if l.Step == trace.LabelOrderStep {
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
		levels = append(levels, sum.mean(fmt.Sprintf("level %d", depth), traced))
	}
	if len(order.frontier) > 0 {
		levels = append(levels, order.mean(trace.LabelOrderStep, traced))
	}
	return append(levels, MeanLevel{Name: RestOfSearch, Searches: traced, Seconds: max(rest, 0) / float64(traced)})
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
	m := MeanLevel{
		Name: name, Searches: len(s.frontier), Seconds: s.cost.seconds / n,
		Computing: s.cost.computing / n, Exchanging: s.cost.exchanging / n, Waiting: s.cost.waiting / n,
	}
	for step, searches := range s.searches {
		if most := s.searches[m.Step]; searches > most || searches == most && step < m.Step {
			m.Step = step
		}
	}
	if name != trace.LabelOrderStep {
		m.Frontier = SummaryOf(s.frontier)
	}
	return m
}
