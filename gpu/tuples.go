//go:build cuda && cgo

package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"

	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
)

// generatePiece is the number of tuples after which progress is told and an interruption heeded: some 10 ms.
const generatePiece = 1 << 26

// tuples are a rank's edge tuples. They lie in device memory as a whole or in host memory; whoever needs them gets them
// in pieces that lie in device memory.
type tuples struct {
	device *cuda.Device
	count  int64
	whole  *cuda.Buffer // nil where they lie in host memory
	host   *hostTuples  // nil where they lie in device memory
}

// reserve prepares count tuples, which lie in device memory if staged is 0; else they lie in host memory and come in
// pieces of so many.
func reserve(d *cuda.Device, count, staged int64) (*tuples, error) {
	t := &tuples{device: d, count: count}
	var err error
	if staged > 0 {
		t.host, err = newHostTuples(d, count, staged)
	} else {
		t.whole, err = d.Alloc("edge tuples", count*int64(graph.EdgeBytes))
	}
	return t, err
}

// free gives the memory back.
func (t *tuples) free() error {
	if t.host != nil {
		return t.host.free()
	}
	return t.whole.Free()
}

// pieceLimit is the number of tuples that a piece may have.
func (t *tuples) pieceLimit() int64 {
	if t.host != nil {
		return t.host.staged
	}
	return math.MaxInt64
}

// piece is tuples first to first+count-1 in device memory, no more than pieceLimit. They stay there until the next
// call, which waits until the device has done what it was given before.
func (t *tuples) piece(first, count int64) (cuda.Memory, error) {
	if t.whole != nil {
		return t.whole.Part(first*int64(graph.EdgeBytes), count*int64(graph.EdgeBytes)), nil
	}
	if count == 0 {
		return t.host.wide.Part(0, 0), nil
	}
	return t.host.piece(run{first, count})
}

// each calls body with all tuples in order, in as few pieces as there can be: one, where they lie in device memory.
func (t *tuples) each(body func(piece cuda.Memory) error) error {
	for first := int64(0); first < t.count; {
		count := min(t.count-first, t.pieceLimit())
		piece, err := t.piece(first, count)
		if err == nil {
			err = body(piece)
		}
		if err != nil {
			return err
		}
		first += count
	}
	return nil
}

// fill makes the tuples in pieces of so many at most: write is told the number of the first and where they go, in
// device memory. advance is told how many are done.
func (t *tuples) fill(
	ctx context.Context, most int64, write func(first int64, into cuda.Memory) error, advance func(int64),
) error {
	for first := int64(0); first < t.count; {
		count := min(t.count-first, most, t.pieceLimit())
		if err := errors.Join(t.fillPiece(run{first, count}, write), ctx.Err()); err != nil {
			return err
		}
		first += count
		advance(first)
	}
	if t.host != nil {
		return t.host.lane.Wait()
	}
	return nil
}

func (t *tuples) fillPiece(r run, write func(first int64, into cuda.Memory) error) error {
	if t.host != nil {
		err := write(r.first, t.host.wide.Part(0, r.count*int64(graph.EdgeBytes)))
		if err == nil {
			err = t.host.keep(r.first, r.count)
		}
		return err
	}
	into, err := t.piece(r.first, r.count)
	if err == nil {
		err = write(r.first, into)
	}
	if err == nil {
		err = t.device.Synchronize()
	}
	return err
}

// generate makes the official tuples from number first on, on the device.
func (t *tuples) generate(ctx context.Context, p kronecker.Params, first int64, advance func(int64)) error {
	if err := t.checkWidth(graph.Global(p.Vertices()) - 1); err != nil {
		return err
	}
	official := cuda.Kronecker{Scale: p.Scale, Seed1: p.Seed1, Seed2: p.Seed2}
	return t.fill(ctx, generatePiece, func(done int64, into cuda.Memory) error {
		return t.device.Generate(official, first+done, into)
	}, advance)
}

// readPiece is the number of tuples that are in Go's memory on their way from a file: 192 MiB.
const readPiece = 1 << 24

// read takes the tuples from where from has them, number first and the following.
func (t *tuples) read(
	ctx context.Context, from func(first int64, into []graph.Edge) error, advance func(int64),
) error {
	edges := make([]graph.Edge, min(t.count, readPiece))
	return t.fill(ctx, readPiece, func(first int64, into cuda.Memory) error {
		edges := edges[:into.Bytes()/int64(graph.EdgeBytes)]
		if err := from(first, edges); err != nil {
			return err
		}
		for _, e := range edges {
			if err := t.checkWidth(max(e.U(), e.V())); err != nil {
				return err
			}
		}
		return cuda.Write(into, 0, edges)
	}, advance)
}

// checkWidth refuses a label for which the narrow form has no room.
func (t *tuples) checkWidth(highest graph.Global) error {
	if t.host == nil || highest <= math.MaxUint32 {
		return nil
	}
	return fmt.Errorf("gpu: label %d is too high for edge tuples in host memory, which have 32 bits for each; "+
		"use --tuples device, or --engine hybrid", highest)
}

// Host copies the tuples to Go's memory.
func (t *tuples) Host() ([]graph.Edge, error) {
	edges := make([]graph.Edge, t.count)
	rest := edges
	err := t.each(func(piece cuda.Memory) error {
		n := piece.Bytes() / int64(graph.EdgeBytes)
		err := cuda.Read(rest[:n], piece, 0)
		rest = rest[n:]
		return err
	})
	return edges, err
}

// onDevice brings tuples to the device, unless they are there already, or in host memory for it.
func onDevice(d *cuda.Device, given graph.Tuples) (*tuples, error) {
	if t, ok := given.(*tuples); ok {
		return t, nil
	}
	edges, err := given.Host()
	if err != nil {
		return nil, err
	}
	return placed(d, edges, 0)
}

// placed are tuples from Go's memory; staged is that of reserve.
func placed(d *cuda.Device, edges []graph.Edge, staged int64) (*tuples, error) {
	t, err := reserve(d, int64(len(edges)), staged)
	if err != nil {
		return nil, err
	}
	from := func(first int64, into []graph.Edge) error {
		copy(into, edges[first:])
		return nil
	}
	return t, t.read(context.Background(), from, func(int64) {})
}
