//go:build cuda && cgo

package bfs

import (
	"g500/cuda"
	"g500/internal/trace"
)

// Trace lists the steps of the last search.
func (e *Engine) Trace() ([]trace.Step, error) {
	levels, err := e.search.Trace()
	steps := make([]trace.Step, len(levels))
	for i, l := range levels {
		steps[i] = trace.Step{
			Name: l.Step.Name(), Variant: l.Step.Variant(),
			Frontier: l.Frontier, Edges: l.Edges, Nanoseconds: l.Nanoseconds,
			Compute: l.Nanoseconds - l.Exchange - l.Wait, Exchange: l.Exchange, Wait: l.Wait,
			Traffic: addTraffic(exchanged(l), e.messagesOf(levels, i)),
		}
	}
	return steps, err
}

// messagesOf is what went to other ranks and came from them in messages during a level, of which there is an exchange
// at each rank barrier. Those after the last level count as its own, as all that follows it does.
func (e *Engine) messagesOf(levels []cuda.Level, i int) (sum []trace.Traffic) {
	if e.between == nil || levels[i].Step == cuda.Relabel {
		return nil
	}
	log, begin := e.between.log, int64(0)
	if i > 0 {
		begin = levels[i-1].Barriers
	}
	end := levels[i].Barriers
	if i+1 == len(levels) || levels[i+1].Step == cuda.Relabel {
		end = int64(len(log))
	}
	for _, exchange := range log[begin:max(begin, min(end, int64(len(log))))] {
		sum = addTraffic(sum, exchange)
	}
	return sum
}

// exchanged is what a rank sent and received in a level through memory.
func exchanged(l cuda.Level) (all []trace.Traffic) {
	for _, way := range []struct {
		form, carrier string
		counted       cuda.Traffic
		bytes         int64 // of each that is counted
	}{
		{trace.BitmapForm, trace.PeerCarrier, l.Words, wordBytes},
		{trace.BinsForm, trace.PeerCarrier, l.Pairs, pairBytes},
		{trace.RowsForm, trace.PeerCarrier, l.EdgesRead, wordBytes},
		{trace.BitmapForm, trace.HostCarrier, l.SharedBitmap, 1},
		{trace.BinsForm, trace.HostCarrier, l.SharedPairs, pairBytes},
	} {
		t := trace.Traffic{
			Form: way.form, Carrier: way.carrier,
			Sent: way.bytes * way.counted.Sent, Received: way.bytes * way.counted.Received,
		}
		if t.Sent+t.Received > 0 {
			all = append(all, t)
		}
	}
	return all
}
