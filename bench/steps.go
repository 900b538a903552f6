package bench

import (
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/sssp"
)

// TimingSteps is the kit with engines that keep a trace, if its own can tell of their steps. In a search there is then
// a barrier before each exchange and after each step, which tells waiting from exchanging, and costs a little.
func (k Kit) TimingSteps() Kit {
	kernel1 := k.Kernel1
	k.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		clock := newStepClock(t)
		e, err := kernel1(clock.t, tuples)
		if steps, can := e.(bfs.Stepper); err == nil && can {
			steps.OnStep(clock.ended)
			return timingEngine{e, clock}, nil
		}
		return e, err
	}
	if k.Paths != nil {
		k.Paths = k.Paths.timingSteps()
	}
	return k
}

// timingSteps is the same for kernel 3.
func (k PathsKit) timingSteps() *PathsKit {
	kernel1 := k.Kernel1
	k.Kernel1 = func(t comm.Transport, tuples graph.WeightedTuples, prune sssp.Pruning) (sssp.Engine, error) {
		clock := newStepClock(t)
		e, err := kernel1(clock.t, tuples, prune)
		if steps, can := e.(sssp.Stepper); err == nil && can {
			steps.OnStep(func(s sssp.Step) error { return clock.ended(levelOfPaths(s)) })
			return timingPaths{e, clock}, nil
		}
		return e, err
	}
	return &k
}

// levelOfPaths has a step of a search for shortest paths in the form of one of breadth-first search.
func levelOfPaths(s sssp.Step) bfs.Level {
	return bfs.Level{Step: s.Name, Frontier: s.Vertices, Edges: s.Edges, Nanoseconds: s.Nanoseconds,
		Compute: s.Compute, Exchange: s.Nanoseconds - s.Compute}
}

// timingEngine is an engine whose steps are timed.
type timingEngine struct {
	bfs.Engine
	clock *stepClock
}

// BFS is the engine's. What it does before its first step counts as that step's.
func (e timingEngine) BFS(root graph.Global) (bfs.Tree, error) {
	defer e.clock.begin()()
	return e.Engine.BFS(root)
}

// Trace lists the steps of the last search.
func (e timingEngine) Trace() ([]bfs.Level, error) { return e.clock.levels, nil }

// timingPaths is an engine of kernel 3 whose steps are timed.
type timingPaths struct {
	sssp.Engine
	clock *stepClock
}

// SSSP is the engine's, as timingEngine.BFS.
func (e timingPaths) SSSP(root graph.Global) (sssp.Paths, error) {
	defer e.clock.begin()()
	return e.Engine.SSSP(root)
}

func (e timingPaths) levels() ([]bfs.Level, error) { return e.clock.levels, nil }

// stepClock times the steps of an engine. A step is over when the last rank has come to its end, so that it takes
// equally long on all ranks and the steps add up to the search.
type stepClock struct {
	t      *timingTransport
	search time.Duration // its begin
	before int64         // nanoseconds of it that the steps before took
	step   time.Duration // begin of the step on this rank
	levels []bfs.Level
}

func newStepClock(t comm.Transport) *stepClock {
	return &stepClock{t: &timingTransport{Transport: t, clock: stopwatch()}}
}

// begin begins a search; what it returns ends it.
func (c *stepClock) begin() (end func()) {
	c.levels, c.before = c.levels[:0], 0
	c.t.timing, c.t.spent = true, bfs.Level{}
	c.search = c.t.clock()
	c.step = c.search
	return func() { c.t.timing = false }
}

// ended adds what a step took to what the engine tells of it.
func (c *stepClock) ended(l bfs.Level) error {
	now := c.t.clock()
	over := []int64{int64(now - c.search)}
	if err := c.t.Transport.AllReduce(over, comm.Max); err != nil {
		return err
	}
	l.Nanoseconds = over[0] - c.before
	l.Compute = int64(now-c.step) - c.t.spent.Wait - c.t.spent.Exchange
	l.Exchange, l.Traffic = c.t.spent.Exchange, c.t.spent.Traffic
	l.Wait = max(l.Nanoseconds-l.Compute-l.Exchange, 0) // ranks do not begin at quite the same time
	c.levels = append(c.levels, l)
	c.before, c.t.spent, c.step = over[0], bfs.Level{}, c.t.clock()
	return nil
}
