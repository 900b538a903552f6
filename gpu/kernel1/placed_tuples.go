//go:build cuda && cgo

package kernel1

import (
	"context"

	"g500/cuda"
	"g500/graph"
)

// OnDevice returns Tuples as they are, and copies other tuples to the device, with their weights if they have any.
func OnDevice(d *cuda.Device, given graph.Tuples) (*Tuples, error) {
	if t, ok := given.(*Tuples); ok {
		return t, nil
	}
	return Placed(d, given, 0)
}

// Placed copies tuples from Go's memory, with their weights if they have any. staged is the argument of Reserve.
func Placed(d *cuda.Device, given graph.Tuples, staged int64) (*Tuples, error) {
	edges, err := given.Host()
	if err != nil {
		return nil, err
	}
	var weights []float32
	weighted, ok := given.(graph.WeightedTuples)
	if ok {
		if weights, err = weighted.HostWeights(); err != nil {
			return nil, err
		}
	}
	t, err := Reserve(d, int64(len(edges)), staged, ok)
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
	return t, t.Read(context.Background(), from, func(int64) {})
}
