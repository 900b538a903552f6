//go:build cuda && cgo

package kernel1

import (
	"context"

	"g500/cuda"
	"g500/graph"
)

// OnDevice brings tuples to the device, with their weights if they have any, unless they are there already, or in host
// memory for it.
func OnDevice(d *cuda.Device, given graph.Tuples) (*Tuples, error) {
	if t, ok := given.(*Tuples); ok {
		return t, nil
	}
	return Placed(d, given, 0)
}

// Placed are tuples from Go's memory; staged is that of reserve.
func Placed(d *cuda.Device, given graph.Tuples, staged int64) (*Tuples, error) {
	edges, err := given.Host()
	if err != nil {
		return nil, err
	}
	var weights []float32
	take := Reserve
	if weighted, ok := given.(graph.WeightedTuples); ok {
		take = ReserveWeighted
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
		if t.Weighted {
			copy(itsWeights, weights[first:])
		}
		return nil
	}
	return t, t.ReadWeighted(context.Background(), from, func(int64) {})
}
