//go:build cuda && cgo

package bfs

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// exposeGraph lets all ranks, which must be peers, read each other's rows, and counts the degrees in all graphs: what
// they need to go through replicated frontiers. It is collective.
func (e *Engine) exposeGraph(ranks *cuda.Ranks) error {
	for _, array := range []struct {
		own cuda.Memory
		all *[]cuda.Memory
	}{{e.graph.Rows(), &ranks.Rows}, {e.graph.Cols(), &ranks.Cols}, {e.graph.HubOf(), &ranks.HubOf}} {
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
