//go:build cuda && cgo

package gpu

import (
	"context"

	"g500/cuda"
	"g500/graph"
)

// onDevice brings tuples to the device, with their weights if they have any, unless they are there already, or in host
// memory for it.
func onDevice(d *cuda.Device, given graph.Tuples) (*tuples, error) {
	if t, ok := given.(*tuples); ok {
		return t, nil
	}
	return placed(d, given, 0)
}

// placed are tuples from Go's memory; staged is that of reserve.
func placed(d *cuda.Device, given graph.Tuples, staged int64) (*tuples, error) {
	edges, err := given.Host()
	if err != nil {
		return nil, err
	}
	var weights []float32
	take := reserve
	if weighted, ok := given.(graph.WeightedTuples); ok {
		take = reserveWeighted
		if weights, err = weighted.HostWeights(); err != nil {
			return nil, err
		}
	}
	t, err := take(d, int64(len(edges)), staged)
	if err != nil {
		return nil, err
	}
	from := func(first int64, into []graph.Edge, itsWeights []float32) error {
		copy(into, edges[first:])
		if t.weighted {
			copy(itsWeights, weights[first:])
		}
		return nil
	}
	return t, t.readWeighted(context.Background(), from, func(int64) {})
}
