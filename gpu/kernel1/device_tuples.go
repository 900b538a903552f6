// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"
	"math"

	"g500/cuda"
	"g500/graph"
)

// deviceTuples are edge tuples, and their weights, in device memory.
type deviceTuples struct {
	device  *cuda.Device
	edges   *cuda.Buffer
	weights *cuda.Buffer // one float32 per tuple; nil without weights
	packed  bool         // as after Sort
}

func newDeviceTuples(d *cuda.Device, count int64, weighted bool) (t *deviceTuples, err error) {
	t = &deviceTuples{device: d}
	if t.edges, err = d.Alloc("edge tuples", count*int64(graph.EdgeBytes)); err == nil && weighted {
		t.weights, err = d.Alloc("weights of edge tuples", count*cuda.WeightBytes)
	}
	return t, err
}

func (t *deviceTuples) PieceLimit() int64 { return math.MaxInt64 }

func (t *deviceTuples) piece(r run) (p piece, err error) {
	if r.packed != t.packed {
		return p, errors.New("gpu: the edge tuples were sorted for validation: other work must precede that")
	}
	bytes := int64(graph.EdgeBytes)
	if t.packed {
		bytes = cuda.Edge32Bytes
	}
	p.edges = t.edges.Part(r.first*bytes, r.count*bytes)
	if r.weighted {
		p.weights = t.weights.Part(r.first*cuda.WeightBytes, r.count*cuda.WeightBytes)
	}
	return p, nil
}

func (t *deviceTuples) fill(r run, write func(first int64, into piece) error) error {
	into, err := t.piece(r)
	if err == nil {
		err = write(r.first, into)
	}
	if err == nil {
		err = t.device.Synchronize()
	}
	return err
}

func (t *deviceTuples) Free() error { return cuda.Free(t.edges, t.weights) }
