// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"g500/cuda"
	"g500/graph"
)

// generatedTuples are edge tuples, and their weights, that are not stored: the function that has filled them makes each
// piece again in a device buffer (ADR 91). It must make the same tuples in any order of calls.
type generatedTuples struct {
	device  *cuda.Device
	staged  int64        // largest number of tuples of a piece, also if there are fewer tuples
	edges   *cuda.Buffer // the piece in the format of kernels
	weights *cuda.Buffer // its weights; nil without weights
	packed  *cuda.Buffer // the piece with 32-bit labels; nil if some labels are longer
	write   func(first int64, into piece) error
}

func newGeneratedTuples(d *cuda.Device, count int64, s Storage, weighted bool) (g *generatedTuples, err error) {
	g = &generatedTuples{device: d, staged: s.Staged}
	most := min(s.Staged, count)
	if g.edges, err = d.Alloc("a piece of the edge tuples", most*int64(graph.EdgeBytes)); err == nil && !s.Long {
		g.packed, err = d.Alloc("a piece of the packed edge tuples", most*cuda.Edge32Bytes)
	}
	if err == nil && weighted {
		g.weights, err = d.Alloc("a piece of the weights of edge tuples", most*cuda.WeightBytes)
	}
	return g, err
}

func (g *generatedTuples) PieceLimit() int64 { return g.staged }

func (g *generatedTuples) piece(r run) (p piece, err error) {
	p.edges = g.edges.Part(0, r.count*int64(graph.EdgeBytes))
	if r.weighted {
		p.weights = g.weights.Part(0, r.count*cuda.WeightBytes)
	}
	if r.count == 0 {
		return p, nil
	}
	if err = g.write(r.first, p); err == nil && r.packed {
		unpacked := p.edges
		p.edges = g.packed.Part(0, r.count*cuda.Edge32Bytes)
		err = g.device.Pack(unpacked, p.edges)
	}
	return p, err
}

// fill makes the tuples once, in the time of generation, and keeps write.
func (g *generatedTuples) fill(r run, write func(first int64, into piece) error) error {
	g.write = write
	_, err := g.piece(r)
	if err == nil {
		err = g.device.Synchronize()
	}
	return err
}

func (g *generatedTuples) Free() error { return cuda.Free(g.edges, g.weights, g.packed) }
