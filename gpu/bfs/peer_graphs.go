//go:build cuda && cgo

package bfs

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// exposeGraph exposes the graph's arrays to all ranks, which must be peers, and finds the mean degrees. Pushes from a
// replicated frontier need both. It is collective.
func (e *Engine) exposeGraph(ranks *cuda.Ranks) error {
	for _, array := range []struct {
		own cuda.Memory
		all *[]cuda.Memory
	}{{e.graph.Rows(), &ranks.Rows}, {e.graph.Cols(), &ranks.Cols}, {e.graph.LocalIDs(), &ranks.LocalIDs}} {
		w, err := e.t.Expose(array.own)
		if err != nil {
			return err
		}
		e.exposed = append(e.exposed, w)
		*array.all = device.ByRank(e.t, w)
	}
	vertices, edges, err := e.search.Degrees()
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	sums := append(vertices, edges...)
	if err := e.t.Host().AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	ranks.Degrees = meanDegrees(sums[:len(vertices)], sums[len(vertices):])
	return nil
}
