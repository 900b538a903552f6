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
			Compute: l.Nanoseconds - l.Exchange - l.Wait, Exchange: l.Exchange, Wait: l.Wait, Traffic: exchanged(l),
		}
	}
	return trace, err
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

// Bytes of what ranks exchange during a search.
const (
	wordBytes = 4
	pairBytes = 8
)

// exchanged is what a rank sent and received in a level.
func exchanged(l cuda.Level) (all []bfs.Traffic) {
	for _, way := range []struct {
		form, carrier string
		counted       cuda.Traffic
		bytes         int64 // of each that is counted
	}{
		{bfs.BitmapForm, carrierPeer, l.Words, wordBytes},
		{bfs.BinsForm, carrierPeer, l.Pairs, pairBytes},
		{bfs.RowsForm, carrierPeer, l.EdgesRead, wordBytes},
		{bfs.BitmapForm, carrierMPI, l.RemoteBitmap, 1},
		{bfs.BinsForm, carrierMPI, l.RemotePairs, pairBytes},
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
