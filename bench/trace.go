// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"fmt"
	"time"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/lists"
	"g500/internal/trace"
	"g500/record"
	"g500/sssp"
)

// trace returns the steps of the last search with their costs on all ranks: on rank 0, if the run requests a trace and
// the engine keeps one; else nil.
func (b *benchmark) trace(e any, key int) ([]record.Level, error) {
	tracer, can := e.(trace.Tracer)
	if !b.cfg.Search.Trace || !can {
		return nil, nil
	}
	own, err := tracer.Trace()
	if err := comm.Agree(b.t, err); err != nil {
		return nil, err
	}
	all, err := comm.Gathered(b.t, own)
	if err != nil || b.t.Rank() != 0 {
		return nil, err
	}
	alike, difference := compareSteps(all)
	if difference != "" && !b.unlike {
		b.unlike = true
		b.note("the ranks report different steps of search key %d, so that its trace ends early: %s", key, difference)
	}
	levels := make([]record.Level, alike)
	for i := range levels {
		levels[i] = levelOf(all, i)
	}
	return levels, nil
}

// compareSteps returns the number of leading steps that are equal on all ranks, and the first difference, or "".
func compareSteps(all [][]trace.Step) (alike int, difference string) {
	for ; ; alike++ {
		first := stepAt(all[0], alike)
		for r, other := range all {
			if step := stepAt(other, alike); step != first {
				return alike, fmt.Sprintf("step %d of rank 0 is %s, of rank %d %s", alike, first, r, step)
			}
		}
		if first == noStep {
			return alike, ""
		}
	}
}

const noStep = "none"

// stepAt names a step.
func stepAt(steps []trace.Step, i int) string {
	if i >= len(steps) {
		return noStep
	}
	return steps[i].Name
}

// levelOf combines all ranks' reports of one step.
func levelOf(all [][]trace.Step, i int) record.Level {
	first := all[0][i]
	level := record.Level{Step: first.Name, Variant: first.Variant, Frontier: first.Frontier, Edges: first.Edges}
	for _, steps := range all {
		level.Seconds = max(level.Seconds, seconds(steps[i].Nanoseconds))
	}
	if len(all) > 1 {
		level.Ranks = costsOf(all, i)
	}
	return level
}

// costsOf returns the times and the traffic of one step on each rank.
func costsOf(all [][]trace.Step, i int) *record.RankCosts {
	costs := new(record.RankCosts)
	for r, steps := range all {
		costs.Computing = append(costs.Computing, seconds(steps[i].Compute))
		costs.Exchanging = append(costs.Exchanging, seconds(steps[i].Exchange))
		costs.Waiting = append(costs.Waiting, seconds(steps[i].Wait))
		for _, sent := range steps[i].Traffic {
			same := func(t record.Traffic) bool { return t.Payload == sent.Payload && t.Transport == sent.Transport }
			way := lists.At(&costs.Traffic, same, record.Traffic{Payload: sent.Payload, Transport: sent.Transport})
			if way.Sent == nil {
				way.Sent, way.Received = make([]int64, len(all)), make([]int64, len(all))
			}
			way.Sent[r] += sent.Sent
			way.Received[r] += sent.Received
		}
	}
	return costs
}

func seconds(nanoseconds int64) float64 { return time.Duration(nanoseconds).Seconds() }

// TimingSteps returns a backend whose engines keep a trace if they are a trace.Stepper. Their searches then have a
// barrier before each exchange and after each step, which separates waiting from exchanging and takes some time.
func (b Backend) TimingSteps() Backend {
	kernel1, paths := b.Kernel1, b.Paths
	b.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
		return timingSteps(t, func(t comm.Transport) (engine.Engine, error) { return kernel1(t, tuples) })
	}
	b.Paths = func(t comm.Transport, tuples graph.Tuples, prune sssp.Pruning) (engine.Engine, error) {
		return timingSteps(t, func(t comm.Transport) (engine.Engine, error) { return paths(t, tuples, prune) })
	}
	return b
}

// timingEngine is an engine whose steps are timed. A step ends when the last rank reaches its end, so that it has the
// same time on all ranks and the steps add up to the search.
type timingEngine struct {
	engine.Engine
	t      *timingTransport
	search time.Duration // start of the search
	before int64         // nanoseconds of the finished steps
	step   time.Duration // start of the step on this rank
	steps  []trace.Step
}

// as returns an engine as T, such as Prelauncher, or the engine whose steps it times, if that has the methods.
func as[T any](e any) (t T, can bool) {
	if timing, is := e.(*timingEngine); is {
		e = timing.Engine
	}
	t, can = e.(T)
	return t, can
}

// timingSteps builds an engine on a timed transport, and times its steps if it is a trace.Stepper.
func timingSteps(t comm.Transport, build func(comm.Transport) (engine.Engine, error)) (engine.Engine, error) {
	timing := &timingEngine{t: newTimingTransport(t, stopwatch())}
	e, err := build(timing.t)
	if steps, can := e.(trace.Stepper); err == nil && can {
		steps.OnStep(timing.ended)
		timing.Engine = e
		return timing, nil
	}
	return e, err
}

// Search calls the engine's Search. Work before the first step counts as part of that step.
func (e *timingEngine) Search(root graph.Global) (engine.Result, error) {
	e.steps, e.before = e.steps[:0], 0
	e.t.take(&trace.Step{}) // traffic before the search
	e.t.timing = true
	defer func() { e.t.timing = false }()
	e.search = e.t.clock()
	e.step = e.search
	return e.Engine.Search(root)
}

// Trace lists the steps of the last search.
func (e *timingEngine) Trace() ([]trace.Step, error) { return e.steps, nil }

// ended adds the times and the traffic of a step to the engine's report of it.
func (e *timingEngine) ended(s trace.Step) error {
	now := e.t.clock()
	over, err := comm.Reduce(e.t.Transport, int64(now-e.search), comm.Max)
	if err != nil {
		return err
	}
	e.t.take(&s)
	s.Nanoseconds = over - e.before
	s.Compute = int64(now-e.step) - s.Wait - s.Exchange
	s.Wait = max(s.Nanoseconds-s.Compute-s.Exchange, 0) // ranks start at slightly different times
	e.steps = append(e.steps, s)
	e.before, e.step = over, e.t.clock()
	return nil
}

// timingTransport is a transport that can put a barrier before each exchange. It adds up the time at these barriers,
// the time of the exchanges, and the traffic between this rank and others.
type timingTransport struct {
	comm.Wrapper
	clock   func() time.Duration
	timing  bool
	payload string // of messages, if the engine sets it; else bins

	wait, exchange int64 // nanoseconds of the step so far
	traffic        trace.Meter
}

func newTimingTransport(t comm.Transport, clock func() time.Duration) *timingTransport {
	traffic := trace.Meter{Rank: t.Rank(), Nodes: t.Nodes()}
	return &timingTransport{Wrapper: comm.Wrapper{Transport: t}, clock: clock, traffic: traffic}
}

// take moves the times and the traffic since the last call into a step.
func (t *timingTransport) take(s *trace.Step) {
	s.Wait, s.Exchange, s.Traffic = t.wait, t.exchange, t.traffic.Take()
	t.wait, t.exchange = 0, 0
}

// CountAs sets the payload of the following messages.
func (t *timingTransport) CountAs(payload string) { t.payload = payload }

// exchanging runs an exchange, after a barrier if times are counted.
func (t *timingTransport) exchanging(exchange func() error) error {
	if !t.timing {
		return exchange()
	}
	began := t.clock()
	err := t.Transport.Barrier()
	ready := t.clock()
	t.wait += int64(ready - began)
	if err == nil {
		err = exchange()
		t.exchange += int64(t.clock() - ready)
	}
	return err
}

// count counts the bytes of an exchange, if exchanges are timed.
func (t *timingTransport) count(payload string, bytes func(rank int) (sent, received int)) {
	for r := range t.Size() {
		if t.timing {
			sent, received := bytes(r)
			t.traffic.Count(payload, r, sent, received)
		}
	}
}

// AllReduce is the transport's. Each rank's values are counted as sent to each other.
func (t *timingTransport) AllReduce(vals []int64, op comm.Op) error {
	bytes := 8 * len(vals)
	t.count(trace.SumsPayload, func(int) (int, int) { return bytes, bytes })
	return t.exchanging(func() error { return t.Transport.AllReduce(vals, op) })
}

// AllGather is the transport's.
func (t *timingTransport) AllGather(words []uint64) error {
	bytes := 8 * len(words) / t.Size()
	t.count(trace.BitmapPayload, func(int) (int, int) { return bytes, bytes })
	return t.exchanging(func() error { return t.Transport.AllGather(words) })
}

// AllToAll is the transport's.
func (t *timingTransport) AllToAll(send [][]byte) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.AllToAll(send); return err })
	t.countMessages(send, recv)
	return recv, err
}

// NeighbourAllToAll is the transport's. Collectives of two levels call it.
func (t *timingTransport) NeighbourAllToAll(send [][]byte, n comm.Neighbours) (recv [][]byte, err error) {
	err = t.exchanging(func() (err error) { recv, err = t.Transport.NeighbourAllToAll(send, n); return err })
	t.countMessages(send, recv)
	return recv, err
}

// AllToAllInto is the transport's.
func (t *timingTransport) AllToAllInto(send, into [][]byte) error {
	err := t.exchanging(func() error { return t.Transport.AllToAllInto(send, into) })
	if err == nil {
		t.countMessages(send, into)
	}
	return err
}

// countMessages counts an exchange of messages. recv of a failed exchange is shorter than send.
func (t *timingTransport) countMessages(send, recv [][]byte) {
	if len(recv) < len(send) {
		return
	}
	t.count(cmp.Or(t.payload, trace.BinsPayload), func(r int) (int, int) { return len(send[r]), len(recv[r]) })
}
