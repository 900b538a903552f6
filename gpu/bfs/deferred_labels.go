//go:build cuda && cgo

package bfs

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/kernel1"
)

// deferredCapacity is the number of labels that a rank queries at a time after a search: 24 MB of messages.
const deferredCapacity = 1 << 20

// prepareDeferred opens a lookup of remote ranks' labels, if there are labels that not every rank stores. It is
// collective.
func (e *Engine) prepareDeferred(ranks *cuda.Ranks) (err error) {
	if ranks.MostNonLeaves <= ranks.Known {
		return nil
	}
	ranks.Deferred = min(deferredCapacity, ranks.MostNonLeaves)
	e.deferred, err = kernel1.NewLabelLookup(e.t, ranks.Deferred)
	return err
}

// settleDeferred looks up the labels of parents that the search has deferred.
func (e *Engine) settleDeferred() error {
	for {
		ids, n, err := e.search.Deferred()
		if err := comm.Agree(e.t.Host(), err); err != nil {
			return err
		}
		most, err := comm.Reduce(e.t.Host(), n, comm.Max)
		if err != nil || most == 0 {
			return err
		}
		if err := e.deferred.LookUp(e.graph.Graph, ids, n, ids.Words); err != nil {
			return err
		}
		if err := e.search.SettleDeferred(n); err != nil {
			return err
		}
	}
}
