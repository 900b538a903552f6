//go:build cuda && cgo

package gpu

import (
	"context"

	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
)

// generatePiece is the number of tuples after which progress is told and an interruption heeded: some 10 ms.
const generatePiece = 1 << 26

// tuples are edge tuples in device memory.
type tuples struct {
	buffer *cuda.Buffer
	count  int64
	labels int64 // all labels are below it
}

// Host copies the tuples to host memory.
func (t *tuples) Host() ([]graph.Edge, error) {
	edges := make([]graph.Edge, t.count)
	return edges, cuda.Read(edges, t.buffer.Memory, 0)
}

// reserve takes the memory of count tuples.
func reserve(d *cuda.Device, count, labels int64) (*tuples, error) {
	buffer, err := d.Alloc("edge tuples", count*int64(graph.EdgeBytes))
	return &tuples{buffer, count, labels}, err
}

// generate makes tuples first to first+count-1 on the device.
func generate(
	ctx context.Context, d *cuda.Device, p kronecker.Params, first, count int64, advance func(int64),
) (*tuples, error) {
	t, err := reserve(d, count, int64(p.Vertices()))
	if err != nil {
		return nil, err
	}
	for done := int64(0); done < count; {
		piece := min(generatePiece, count-done)
		into := t.buffer.Part(done*int64(graph.EdgeBytes), piece*int64(graph.EdgeBytes))
		err := d.Generate(cuda.Kronecker{Scale: p.Scale, Seed1: p.Seed1, Seed2: p.Seed2}, first+done, piece, into)
		if err == nil {
			err = d.Synchronize()
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		done += piece
		advance(done)
	}
	return t, nil
}

// onDevice brings tuples to the device, unless they are there.
func onDevice(d *cuda.Device, given graph.Tuples) (*tuples, error) {
	if t, ok := given.(*tuples); ok {
		return t, nil
	}
	edges, err := given.Host()
	if err != nil {
		return nil, err
	}
	labels := int64(0)
	for _, e := range edges {
		labels = max(labels, int64(e.U())+1, int64(e.V())+1)
	}
	t, err := reserve(d, int64(len(edges)), labels)
	if err != nil {
		return nil, err
	}
	return t, cuda.Write(t.buffer.Memory, 0, edges)
}
