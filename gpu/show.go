//go:build cuda && cgo

package gpu

import (
	"slices"

	"g500/comm"
	"g500/cuda"
)

// showGraph lets all ranks, which must be peers, read each other's rows, and tells them the degrees in all graphs: what
// they need to search small levels as a whole. It is collective.
func (e *engine) showGraph(world *cuda.World) error {
	for _, array := range []struct {
		own cuda.Memory
		all *[]cuda.Memory
	}{{e.graph.Rows(), &world.Rows}, {e.graph.Cols(), &world.Cols}, {e.graph.HubOf(), &world.HubOf}} {
		w, err := e.t.Show(array.own)
		if err != nil {
			return err
		}
		e.shown = append(e.shown, w)
		*array.all = slices.Clone(w.Peers)
		(*array.all)[e.t.Host().Rank()] = array.own
	}
	vertices, edges, err := e.search.Census()
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	sums := append(vertices, edges...)
	if err := e.t.Host().AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	world.Degrees = meanDegrees(sums[:len(vertices)], sums[len(vertices):])
	return nil
}
