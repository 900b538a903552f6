//go:build cuda && cgo

package kernel1

import (
	"context"
	"errors"
	"fmt"
	"math"

	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
)

// generatePiece is the number of tuples between two reports of progress and checks for an interruption: some 10 ms.
const generatePiece = 1 << 26

// Tuples are a rank's edge tuples, either all in device memory or all in host memory. Callers receive them in pieces in
// device memory.
type Tuples struct {
	device   *cuda.Device
	count    int64
	Weighted bool
	whole    *cuda.Buffer // nil if they are in host memory
	weights  *cuda.Buffer // of whole, one float32 per tuple; nil if they are in host memory, or there are none
	host     *hostTuples  // nil if they are in device memory
}

// piece is a run of tuples in device memory.
type piece struct {
	edges   cuda.Memory
	weights cuda.Memory // empty unless requested
}

// Reserve allocates count tuples, with weights or without: in device memory if staged is 0, else in host memory, from
// which they come in pieces of staged tuples.
func Reserve(d *cuda.Device, count, staged int64, weighted bool) (*Tuples, error) {
	t := &Tuples{device: d, count: count, Weighted: weighted}
	var err error
	if staged > 0 {
		t.host, err = newHostTuples(d, count, staged, weighted)
		return t, err
	}
	if t.whole, err = d.Alloc("edge tuples", count*int64(graph.EdgeBytes)); err == nil && weighted {
		t.weights, err = d.Alloc("weights of edge tuples", count*cuda.WeightBytes)
	}
	return t, err
}

// Free gives the memory back.
func (t *Tuples) Free() error {
	if t.host != nil {
		return t.host.free()
	}
	err := t.whole.Free()
	if t.weights != nil {
		err = errors.Join(err, t.weights.Free())
	}
	return err
}

// InHost reports whether the tuples are in host memory.
func (t *Tuples) InHost() bool { return t.host != nil }

// pieceLimit is the number of tuples that a piece may have.
func (t *Tuples) pieceLimit() int64 {
	if t.host != nil {
		return t.host.staged
	}
	return math.MaxInt64
}

// piece is tuples first to first+count-1 in device memory, without weights, no more than pieceLimit. They stay there
// until the next call, which waits until the device has done its earlier work.
func (t *Tuples) piece(first, count int64) (cuda.Memory, error) {
	p, err := t.run(run{first, count, false})
	return p.edges, err
}

// weightedPiece is piece with weights.
func (t *Tuples) weightedPiece(first, count int64) (piece, error) {
	if err := t.CheckWeighted(); err != nil {
		return piece{}, err
	}
	return t.run(run{first, count, true})
}

func (t *Tuples) run(r run) (p piece, err error) {
	if t.host != nil {
		return t.host.piece(r)
	}
	p.edges = t.whole.Part(r.first*int64(graph.EdgeBytes), r.count*int64(graph.EdgeBytes))
	if r.weighted {
		p.weights = t.weights.Part(r.first*cuda.WeightBytes, r.count*cuda.WeightBytes)
	}
	return p, nil
}

// Each calls body with all tuples in order, without weights, in as few pieces as possible: one, if they are in device
// memory.
func (t *Tuples) Each(body func(tuples cuda.Memory) error) error {
	return t.eachRun(false, func(p piece) error { return body(p.edges) })
}

// EachWeighted is each with weights.
func (t *Tuples) EachWeighted(body func(tuples, weights cuda.Memory) error) error {
	if err := t.CheckWeighted(); err != nil {
		return err
	}
	return t.eachRun(true, func(p piece) error { return body(p.edges, p.weights) })
}

func (t *Tuples) eachRun(weighted bool, body func(piece) error) error {
	for first := int64(0); first < t.count; {
		count := min(t.count-first, t.pieceLimit())
		p, err := t.run(run{first, count, weighted})
		if err == nil {
			err = body(p)
		}
		if err != nil {
			return err
		}
		first += count
	}
	return nil
}

// fill makes the tuples in pieces of at most that many. It calls write with the number of the first tuple and device
// memory for the piece, including weights if the tuples have them, and advance with the number of tuples done.
func (t *Tuples) fill(
	ctx context.Context, most int64, write func(first int64, into piece) error, advance func(int64),
) error {
	for first := int64(0); first < t.count; {
		count := min(t.count-first, most, t.pieceLimit())
		if err := errors.Join(t.fillPiece(run{first, count, t.Weighted}, write), ctx.Err()); err != nil {
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

func (t *Tuples) fillPiece(r run, write func(first int64, into piece) error) error {
	if t.host != nil {
		err := write(r.first, t.host.room(r))
		if err == nil {
			err = t.host.keep(r)
		}
		return err
	}
	into, err := t.run(r)
	if err == nil {
		err = write(r.first, into)
	}
	if err == nil {
		err = t.device.Synchronize()
	}
	return err
}

// Generate makes the official tuples from number first on, on the device.
func (t *Tuples) Generate(ctx context.Context, p kronecker.Params, first int64, advance func(int64)) error {
	if err := t.checkWidth(graph.Global(p.Vertices()) - 1); err != nil {
		return err
	}
	official := cuda.Kronecker{Scale: p.Scale, Seed1: p.Seed1, Seed2: p.Seed2}
	return t.fill(ctx, generatePiece, func(done int64, into piece) error {
		if t.Weighted {
			return t.device.GenerateWeighted(official, first+done, into.edges, into.weights)
		}
		return t.device.Generate(official, first+done, into.edges)
	}, advance)
}

// readPiece is the number of tuples in Go's memory on their way from a file: 192 MiB, and 64 MiB for weights.
const readPiece = 1 << 24

// Reader fills slices with consecutive tuples, from number first on, and with their weights if there are any. The
// slices of weights are empty or as long as into.
type Reader = func(first int64, into []graph.Edge, weights []float32) error

// Read takes all tuples from a reader, in order.
func (t *Tuples) Read(ctx context.Context, from Reader, advance func(int64)) error {
	edges := make([]graph.Edge, min(t.count, readPiece))
	var weights []float32
	if t.Weighted {
		weights = make([]float32, len(edges))
	}
	return t.fill(ctx, readPiece, func(first int64, into piece) error {
		edges := edges[:into.edges.Bytes()/int64(graph.EdgeBytes)]
		weights := weights[:into.weights.Bytes()/cuda.WeightBytes]
		if err := from(first, edges, weights); err != nil {
			return err
		}
		for _, e := range edges {
			if err := t.checkWidth(max(e.U(), e.V())); err != nil {
				return err
			}
		}
		if err := cuda.Write(into.edges, 0, edges); err != nil {
			return err
		}
		return cuda.Write(into.weights, 0, weights)
	}, advance)
}

// checkWidth refuses a label that does not fit into the narrow form.
func (t *Tuples) checkWidth(highest graph.Global) error {
	if t.host == nil || highest <= math.MaxUint32 {
		return nil
	}
	return fmt.Errorf("gpu: label %d is too high for edge tuples in host memory, which have 32 bits for each; "+
		"use --edge-memory device, or --engine cpu", highest)
}

// CheckWeighted returns an error if the tuples have no weights.
func (t *Tuples) CheckWeighted() error {
	if t.Weighted {
		return nil
	}
	return errors.New("gpu: the edge tuples have no weights: shortest paths need a graph that has")
}

// Len is the number of tuples of the share.
func (t *Tuples) Len() int64 { return t.count }

// Host copies the tuples to Go's memory.
func (t *Tuples) Host() ([]graph.Edge, error) {
	edges := make([]graph.Edge, t.count)
	rest := edges
	err := t.Each(func(tuples cuda.Memory) error {
		n := tuples.Bytes() / int64(graph.EdgeBytes)
		err := cuda.Read(rest[:n], tuples, 0)
		rest = rest[n:]
		return err
	})
	return edges, err
}

// HostWeights copies the weights to Go's memory.
func (t *Tuples) HostWeights() ([]float32, error) {
	weights := make([]float32, t.count)
	rest := weights
	err := t.EachWeighted(func(_, part cuda.Memory) error {
		n := part.Bytes() / cuda.WeightBytes
		err := cuda.Read(rest[:n], part, 0)
		rest = rest[n:]
		return err
	})
	return weights, err
}
