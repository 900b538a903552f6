// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/trace"
	"g500/sssp"
)

// TimingSteps returns a backend whose engines keep a trace if they are a trace.Stepper. Their searches then have a
// barrier before each exchange and after each step, which separates waiting from exchanging and takes some time.
func (b Backend) TimingSteps() Backend {
	kernel1 := b.Kernel1
	b.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		return timingSteps(t, func(t comm.Transport) (bfs.Engine, error) { return kernel1(t, tuples) })
	}
	if b.Paths != nil {
		paths := *b.Paths
		kernel1 := paths.Kernel1
		paths.Kernel1 = func(t comm.Transport, tuples graph.WeightedTuples, prune sssp.Pruning) (sssp.Engine, error) {
			return timingSteps(t, func(t comm.Transport) (sssp.Engine, error) { return kernel1(t, tuples, prune) })
		}
		b.Paths = &paths
	}
	return b
}

// timingEngine is an engine whose steps are timed.
type timingEngine[R any] struct {
	engine.Engine[R]
	clock *stepClock
}

// timingSteps builds an engine on a timed transport, and times its steps if it is a trace.Stepper.
func timingSteps[R any](t comm.Transport, build func(comm.Transport) (engine.Engine[R], error)) (engine.Engine[R],
	error) {
	clock := &stepClock{t: newTimingTransport(t, stopwatch())}
	e, err := build(clock.t)
	if steps, can := e.(trace.Stepper); err == nil && can {
		steps.OnStep(clock.ended)
		return timingEngine[R]{e, clock}, nil
	}
	return e, err
}

// Search calls the engine's Search. Work before the first step counts as part of that step.
func (e timingEngine[R]) Search(root graph.Global) (R, error) {
	defer e.clock.begin()()
	return e.Engine.Search(root)
}

// Trace lists the steps of the last search.
func (e timingEngine[R]) Trace() ([]trace.Step, error) { return e.clock.steps, nil }

// stepClock times the steps of an engine. A step ends when the last rank reaches its end, so that it has the same time
// on all ranks and the steps add up to the search.
type stepClock struct {
	t      *timingTransport
	search time.Duration // start of the search
	before int64         // nanoseconds of the finished steps
	step   time.Duration // start of the step on this rank
	steps  []trace.Step
}

// begin starts the clock of a search; end stops it.
func (c *stepClock) begin() (end func()) {
	c.steps, c.before = c.steps[:0], 0
	c.t.take(&trace.Step{}) // traffic before the search
	c.t.timing = true
	c.search = c.t.clock()
	c.step = c.search
	return func() { c.t.timing = false }
}

// ended adds the times and the traffic of a step to the engine's report of it.
func (c *stepClock) ended(s trace.Step) error {
	now := c.t.clock()
	over, err := comm.Reduce(c.t.Transport, int64(now-c.search), comm.Max)
	if err != nil {
		return err
	}
	c.t.take(&s)
	s.Nanoseconds = over - c.before
	s.Compute = int64(now-c.step) - s.Wait - s.Exchange
	s.Wait = max(s.Nanoseconds-s.Compute-s.Exchange, 0) // ranks start at slightly different times
	c.steps = append(c.steps, s)
	c.before, c.step = over, c.t.clock()
	return nil
}
