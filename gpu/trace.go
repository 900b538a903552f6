//go:build cuda && cgo

package gpu

import (
	"g500/bfs"
	"g500/cuda"
)

// Trace is what the steps of the last search did.
func (e *engine) Trace() ([]bfs.Level, error) {
	levels, err := e.search.Trace()
	trace := make([]bfs.Level, len(levels))
	for i, l := range levels {
		trace[i] = bfs.Level{
			Step: steps[l.Step].direction, Variant: steps[l.Step].variant,
			Frontier: l.Frontier, Edges: l.Edges, Nanoseconds: l.Nanoseconds,
			Compute: l.Nanoseconds - l.Exchange - l.Wait, Exchange: l.Exchange, Wait: l.Wait,
			Traffic: addTraffic(exchanged(l), e.messagesOf(levels, i)),
		}
	}
	return trace, err
}

// messagesOf is what went to other ranks and came from them in messages during a level, of which there is an exchange
// at each rank barrier. Those after the last level count as its own, as all that follows it does.
func (e *engine) messagesOf(levels []cuda.Level, i int) (sum []bfs.Traffic) {
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

// steps names what the device counts.
var steps = map[cuda.Step]struct{ direction, variant string }{
	cuda.Push:           {bfs.TopDownStep, bfs.PushVariant},
	cuda.PushReplicated: {bfs.TopDownStep, bfs.PushReplicatedVariant},
	cuda.PushBitmap:     {bfs.TopDownStep, bfs.PushBitmapVariant},
	cuda.PushSegments:   {bfs.TopDownStep, bfs.PushSegmentsVariant},
	cuda.Pull:           {bfs.BottomUpStep, bfs.PullVariant},
	cuda.PullListing:    {bfs.BottomUpStep, bfs.PullListingVariant},
	cuda.PullHubs:       {bfs.BottomUpStep, bfs.PullHubsVariant},
	cuda.PullResidual:   {bfs.BottomUpStep, bfs.PullResidualVariant},
	cuda.Relabel:        {bfs.LabelOrderStep, ""},
}

// exchanged is what a rank sent and received in a level through memory.
func exchanged(l cuda.Level) (all []bfs.Traffic) {
	for _, way := range []struct {
		form, carrier string
		counted       cuda.Traffic
		bytes         int64 // of each that is counted
	}{
		{bfs.BitmapForm, carrierPeer, l.Words, wordBytes},
		{bfs.BinsForm, carrierPeer, l.Pairs, pairBytes},
		{bfs.RowsForm, carrierPeer, l.EdgesRead, wordBytes},
		{bfs.BitmapForm, carrierHost, l.SharedBitmap, 1},
		{bfs.BinsForm, carrierHost, l.SharedPairs, pairBytes},
	} {
		t := bfs.Traffic{
			Form: way.form, Carrier: way.carrier,
			Sent: way.bytes * way.counted.Sent, Received: way.bytes * way.counted.Received,
		}
		if t.Sent+t.Received > 0 {
			all = append(all, t)
		}
	}
	return all
}
