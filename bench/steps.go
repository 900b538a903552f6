package bench

import (
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
)

// TimingSteps is the kit with an engine that keeps a trace, if its own can tell of its steps. In a search there
// is then a barrier before each exchange and after each step, which tells waiting from exchanging, and costs a little.
func (k Kit) TimingSteps() Kit {
	kernel1 := k.Kernel1
	k.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		timed := &timingTransport{Transport: t, clock: stopwatch()}
		e, err := kernel1(timed, tuples)
		if steps, can := e.(bfs.Stepper); err == nil && can {
			timing := &timingEngine{Engine: e, t: timed}
			steps.OnStep(timing.ended)
			return timing, nil
		}
		return e, err
	}
	return k
}

// timingEngine times the steps of an engine. A step is over when the last rank has come to its end, so that it takes
// equally long on all ranks and the steps add up to the search.
type timingEngine struct {
	bfs.Engine
	t      *timingTransport
	search time.Duration // its begin
	before int64         // nanoseconds of it that the steps before took
	step   time.Duration // begin of the step on this rank
	levels []bfs.Level
}

// BFS is the engine's. What it does before its first step counts as that step's.
func (e *timingEngine) BFS(root graph.Global) (bfs.Tree, error) {
	e.levels, e.before = e.levels[:0], 0
	e.t.timing, e.t.spent = true, bfs.Level{}
	defer func() { e.t.timing = false }()
	e.search = e.t.clock()
	e.step = e.search
	return e.Engine.BFS(root)
}

// ended adds what a step took to what the engine tells of it.
func (e *timingEngine) ended(l bfs.Level) error {
	now := e.t.clock()
	over := []int64{int64(now - e.search)}
	if err := e.t.Transport.AllReduce(over, comm.Max); err != nil {
		return err
	}
	l.Nanoseconds = over[0] - e.before
	l.Compute = int64(now-e.step) - e.t.spent.Wait - e.t.spent.Exchange
	l.Exchange, l.Traffic = e.t.spent.Exchange, e.t.spent.Traffic
	l.Wait = max(l.Nanoseconds-l.Compute-l.Exchange, 0) // ranks do not begin at quite the same time
	e.levels = append(e.levels, l)
	e.before, e.t.spent, e.step = over[0], bfs.Level{}, e.t.clock()
	return nil
}

// Trace lists the steps of the last search.
func (e *timingEngine) Trace() ([]bfs.Level, error) { return e.levels, nil }
