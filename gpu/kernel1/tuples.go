// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
)

// generatePiece is the number of tuples between two reports of progress and checks for an interruption: some 3 ms.
const generatePiece = 1 << 26

// Tuples are a rank's edge tuples. Callers receive them in pieces in device memory.
type Tuples struct {
	source
	device   *cuda.Device
	count    int64
	Weighted bool
	directed bool
	narrow   bool // labels have 32 bits
}

// source has tuples in some memory, or makes them again.
type source interface {
	// PieceLimit returns the largest number of tuples of a piece.
	PieceLimit() int64
	// piece returns tuples, at most PieceLimit, in device memory. They are valid until the next call, and for work on the
	// device's stream that precedes it.
	piece(run) (piece, error)
	// fill calls write with the number of the first tuple of a run and device memory for the run, and stores the tuples
	// that write makes there. All runs are filled in order before the first call of piece.
	fill(r run, write func(first int64, into piece) error) error
	// Free frees the memory.
	Free() error
}

// run is a range of tuples.
type run struct {
	first, count int64
	Format
}

// piece is a run of tuples in device memory.
type piece struct {
	edges   cuda.Memory
	weights cuda.Memory // empty unless requested
}

// Storage is the memory of tuples.
type Storage struct {
	Staged    int64 // 0: device memory; else host memory, copied to the device in pieces of this many tuples
	Generated bool  // no pieces are stored: each is generated when it is read
	Long      bool  // unless in device memory, labels have up to 48 bits, not 32
}

// Reserve allocates the tuples of a range.
func Reserve(d *cuda.Device, r graph.Range, s Storage) (t *Tuples, err error) {
	t = &Tuples{device: d, count: r.Count, Weighted: r.Weighted, directed: r.Directed, narrow: s.Staged > 0 && !s.Long}
	switch {
	case s.Generated:
		t.source, err = newGeneratedTuples(d, r.Count, s, r.Weighted)
	case s.Staged > 0:
		t.source, err = newHostTuples(d, r.Count, s, r.Weighted)
	default:
		t.source, err = newDeviceTuples(d, r.Count, r.Weighted)
	}
	return t, err
}

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
	if r.Packed != t.packed {
		return p, errors.New("gpu: the edge tuples were sorted for validation: other work must precede that")
	}
	bytes := int64(graph.EdgeBytes)
	if t.packed {
		bytes = cuda.Edge32Bytes
	}
	p.edges = t.edges.Part(r.first*bytes, r.count*bytes)
	if r.Weighted {
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

// InDevice reports whether the tuples are in device memory, so that a pass over them is fast.
func (t *Tuples) InDevice() bool { _, in := t.source.(*deviceTuples); return in }

// Piece returns tuples without weights in device memory, at most PieceLimit, in the format of graph.Edge. They are
// valid until the next call.
func (t *Tuples) Piece(first, count int64) (cuda.Memory, error) {
	p, err := t.piece(run{first: first, count: count})
	return p.edges, err
}

// Format is the format in which Each passes tuples.
type Format struct {
	Weighted bool // with weights, which the tuples must have
	Packed   bool // two 32-bit labels for each tuple, as after Sort
}

// Each calls body with all tuples in order, in as few pieces as possible. weights are empty unless they are wanted.
func (t *Tuples) Each(in Format, body func(tuples, weights cuda.Memory) error) error {
	for r := (run{Format: in}); r.first < t.count; r.first += r.count {
		r.count = min(t.count-r.first, t.PieceLimit())
		p, err := t.piece(r)
		if err == nil {
			err = body(p.edges, p.weights)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Sort sorts tuples in device memory as cuda.Device.SortTuples does. Other tuples are packed already, or when they are
// read, and keep their order. Afterwards tuples are only read packed.
func (t *Tuples) Sort(labelBits int, work int64) error {
	stored, in := t.source.(*deviceTuples)
	if !in {
		return nil
	}
	all, err := t.piece(run{count: t.count, Format: Format{Weighted: t.Weighted}})
	if err == nil {
		err = t.device.SortTuples(all.edges, all.weights, t.directed, labelBits, work)
	}
	stored.packed = err == nil
	return err
}

// fillAll fills the tuples in pieces of at most that many. It calls write with the number of the first tuple and device
// memory for the piece, including weights if the tuples have them, and advance with the number of tuples done.
func (t *Tuples) fillAll(
	ctx context.Context, most int64, write func(first int64, into piece) error, advance func(int64),
) error {
	for first := int64(0); first < t.count; {
		count := min(t.count-first, most, t.PieceLimit())
		if err := errors.Join(t.fill(run{first, count, Format{Weighted: t.Weighted}}, write), ctx.Err()); err != nil {
			return err
		}
		first += count
		advance(first)
	}
	return nil
}

// Generate generates the official tuples from number first on, on the device.
func (t *Tuples) Generate(ctx context.Context, p kronecker.Params, first int64, advance func(int64)) error {
	if err := t.checkWidth(graph.Global(p.Vertices()) - 1); err != nil {
		return err
	}
	return t.fillAll(ctx, generatePiece, func(done int64, into piece) error {
		return t.device.Generate(p, first+done, into.edges, into.weights)
	}, advance)
}

// readPiece is the number of tuples that are read at a time: 192 MiB, and 64 MiB of weights.
const readPiece = 1 << 24

// Read reads all tuples in order.
func (t *Tuples) Read(ctx context.Context, from graph.TupleReader, advance func(int64)) error {
	edges := make([]graph.Edge, min(t.count, readPiece))
	var weights []float32
	if t.Weighted {
		weights = make([]float32, len(edges))
	}
	return t.fillAll(ctx, readPiece, func(first int64, into piece) error {
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
		return errors.Join(cuda.Write(into.edges, 0, edges), cuda.Write(into.weights, 0, weights))
	}, advance)
}

// checkWidth returns an error if the tuples have 32-bit labels, and the label exceeds them.
func (t *Tuples) checkWidth(highest graph.Global) error {
	if !t.narrow || highest <= math.MaxUint32 {
		return nil
	}
	return fmt.Errorf("gpu: label %d is no vertex of a graph with 32-bit labels: give its scale, or use "+
		"--edge-memory device", highest)
}

// Len returns the number of tuples.
func (t *Tuples) Len() int64 { return t.count }

// Directed reports whether the tuples are arcs of a directed graph.
func (t *Tuples) Directed() bool { return t.directed }

// Host copies the tuples to Go's memory, with their weights if they have any and weighted is set.
func (t *Tuples) Host(weighted bool) (graph.HostTuples, error) {
	weighted = weighted && t.Weighted
	all, done := graph.NewHostTuples(graph.Range{Count: t.count, Weighted: weighted, Directed: t.directed}), 0
	err := t.Each(Format{Weighted: weighted}, func(tuples, weights cuda.Memory) error {
		part := all.Cut(done, done+int(tuples.Bytes())/graph.EdgeBytes)
		done += len(part.Edges)
		return errors.Join(cuda.Read(part.Edges, tuples, 0), cuda.Read(part.Weights, weights, 0))
	})
	return all, err
}

// OnDevice returns Tuples as they are, and copies other tuples to the device, with their weights if they have any.
func OnDevice(d *cuda.Device, given graph.Tuples) (*Tuples, error) {
	if t, ok := given.(*Tuples); ok {
		return t, nil
	}
	return Placed(d, given, Storage{})
}

// Placed stores tuples from Go's memory, with their weights if they have any. It finds whether labels are long.
func Placed(d *cuda.Device, given graph.Tuples, in Storage) (*Tuples, error) {
	host, err := given.Host(true)
	if err != nil {
		return nil, err
	}
	in.Long = slices.ContainsFunc(host.Edges, func(e graph.Edge) bool { return max(e.U(), e.V()) > math.MaxUint32 })
	all := graph.Range{Count: host.Len(), Weighted: host.Weights != nil, Directed: host.Arcs}
	t, err := Reserve(d, all, in)
	if err != nil {
		return nil, err
	}
	return t, t.Read(context.Background(), host.Read, func(int64) {})
}
