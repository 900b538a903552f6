// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"

	"g500/cuda"
	"g500/graph"
)

// hostTuples are edge tuples, and their weights, in pinned host memory (ADR 16), with 32-bit labels or, if some labels
// are longer, in the format of kernels. They are copied to the device in pieces. The next piece is copied while the
// device works on the current one, so that a pass takes the time of the work or of the copies, whichever is longer.
type hostTuples struct {
	device  *cuda.Device
	copies  *cuda.CopyStream
	count   int64
	staged  int64        // largest number of tuples of a piece, also if there are fewer tuples
	edges   *hostArray   // the tuples
	weights *hostArray   // nil without weights
	kernel  *cuda.Buffer // the piece in the format of kernels; nil if all pieces have it
	turn    int          // buffer of each array for the next piece
	coming  run          // the piece that is being copied to this buffer
}

// newHostTuples allocates device memory for pieces of tuples.
func newHostTuples(d *cuda.Device, count int64, s Storage, weighted bool) (*hostTuples, error) {
	h := &hostTuples{device: d, count: count, staged: s.Staged}
	if err := h.open(s.Long, weighted); err != nil {
		return nil, errors.Join(err, h.Free())
	}
	return h, nil
}

func (h *hostTuples) open(long, weighted bool) (err error) {
	if h.copies, err = h.device.NewCopyStream(); err != nil {
		return err
	}
	most, bytes := min(h.staged, h.count), int64(graph.EdgeBytes)
	if !long {
		if h.kernel, err = h.device.Alloc("a piece of the edge tuples", most*bytes); err != nil {
			return err
		}
		bytes = cuda.Edge32Bytes
	}
	h.edges = h.array("edge tuples", bytes)
	if err = h.edges.reserve(most); err == nil && weighted {
		h.weights = h.array("weights of edge tuples", cuda.WeightBytes)
		err = h.weights.reserve(most)
	}
	return err
}

func (h *hostTuples) array(label string, element int64) *hostArray {
	return &hostArray{
		device: h.device, label: label, element: element, bytes: h.count * element, block: blockBytes,
	}
}

// arrays returns the arrays with elements of a run.
func (h *hostTuples) arrays(r run) []*hostArray {
	if r.Weighted {
		return []*hostArray{h.edges, h.weights}
	}
	return []*hostArray{h.edges}
}

func (h *hostTuples) PieceLimit() int64 { return h.staged }

// piece copies tuples to the device, and starts to copy the following ones. It first waits for the device's work.
func (h *hostTuples) piece(want run) (p piece, err error) {
	if want.count == 0 {
		return h.parts(want, h.turn), nil
	}
	err = h.device.Synchronize() // no work reads the buffers any more
	if err == nil && h.coming != want {
		err = h.load(want)
	}
	if err == nil {
		err = h.copies.Wait()
	}
	if err != nil {
		return p, err
	}
	arrived := h.turn
	h.turn, h.coming = 1-h.turn, run{}
	next := want
	next.first += want.count
	next.count = min(want.count, h.count-next.first)
	if next.count > 0 {
		if err := h.load(next); err != nil {
			return p, err
		}
	}
	p = h.parts(want, arrived)
	packed := h.edges.part(arrived, want.count)
	if want.Packed {
		p.edges = packed
	}
	if want.Packed || h.kernel == nil {
		return p, nil
	}
	return p, h.device.Unpack(packed, p.edges)
}

// load starts to copy tuples to the device.
func (h *hostTuples) load(want run) error {
	load := func(inHost []byte, staged cuda.Memory) error { return h.copies.Write(staged, inHost) }
	for _, a := range h.arrays(want) {
		if err := a.each(want, h.turn, load); err != nil {
			return err
		}
	}
	h.coming = want
	return nil
}

// parts returns the device memory of a run of tuples in the format of kernels, with weights in the given buffer.
func (h *hostTuples) parts(r run, buffer int) (p piece) {
	if p.edges = h.edges.part(buffer, r.count); h.kernel != nil {
		p.edges = h.kernel.Part(0, r.count*int64(graph.EdgeBytes))
	}
	if r.Weighted {
		p.weights = h.weights.part(buffer, r.count)
	}
	return p
}

// fill waits for the previous copy and starts to copy the tuples in the buffer to host memory. It waits for the last
// copy.
func (h *hostTuples) fill(r run, write func(first int64, into piece) error) error {
	into := h.parts(r, h.turn) // no copy reads it, because the last call has waited
	err := write(r.first, into)
	if err == nil && h.kernel != nil {
		err = h.device.Pack(into.edges, h.edges.buffers[h.turn].Memory)
	}
	if err == nil {
		err = h.device.Synchronize()
	}
	if err == nil {
		err = h.copies.Wait()
	}
	for _, a := range h.arrays(r) {
		if err == nil {
			err = a.each(r, h.turn, h.copies.Read)
		}
	}
	h.turn = 1 - h.turn
	if err == nil && r.first+r.count == h.count {
		err = h.copies.Wait()
	}
	return err
}

func (h *hostTuples) Free() error {
	return errors.Join(cuda.Free(h.copies), cuda.Free(h.kernel), cuda.Free(h.edges, h.weights))
}

// blockBytes is the size of the blocks of edge tuples in host memory. Each is allocated separately because pinning
// memory takes long; between two blocks progress is reported and an interruption takes effect.
const blockBytes = 1 << 30

// hostArray is an array in pinned host memory with one element for each tuple. A copy stream copies pieces of it to the
// device, into two buffers alternately.
type hostArray struct {
	device  *cuda.Device
	label   string         // describes the elements
	element int64          // bytes of an element
	bytes   int64          // of all elements
	block   int64          // bytes of each block except the last
	blocks  []*cuda.Pinned // allocated when they are first written
	buffers [2]*cuda.Buffer
}

// reserve allocates the buffers for that many elements each.
func (a *hostArray) reserve(capacity int64) (err error) {
	for i := range a.buffers {
		if a.buffers[i], err = a.device.Alloc("a piece of the "+a.label, capacity*a.element); err != nil {
			return err
		}
	}
	return nil
}

// part returns the front of a buffer, with that many elements.
func (a *hostArray) part(buffer int, count int64) cuda.Memory {
	return a.buffers[buffer].Part(0, count*a.element)
}

// each calls move for the part of a run of elements in each block, and for its place in a buffer.
func (a *hostArray) each(r run, buffer int, move func(inHost []byte, staged cuda.Memory) error) error {
	first, length := r.first*a.element, r.count*a.element
	for done := int64(0); done < length; {
		block, err := a.blockAt(int((first + done) / a.block))
		if err != nil {
			return err
		}
		at := (first + done) % a.block
		bytes := min(a.block-at, length-done)
		if err := move(block.Bytes[at:at+bytes], a.buffers[buffer].Part(done, bytes)); err != nil {
			return err
		}
		done += bytes
	}
	return nil
}

// blockAt returns a block and allocates it if necessary.
func (a *hostArray) blockAt(i int) (*cuda.Pinned, error) {
	for len(a.blocks) <= i {
		bytes := min(a.block, a.bytes-int64(len(a.blocks))*a.block)
		block, err := a.device.AllocPinned(a.label, bytes)
		if err != nil {
			return nil, fmt.Errorf("%w, after %d blocks: free host memory, or use a smaller scale", err, len(a.blocks))
		}
		a.blocks = append(a.blocks, block)
	}
	return a.blocks[i], nil
}

// Free frees the buffers and blocks.
func (a *hostArray) Free() error {
	err := errors.Join(cuda.Free(a.buffers[:]...), cuda.Free(a.blocks...))
	a.blocks = nil
	return err
}

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
	if r.Weighted {
		p.weights = g.weights.Part(0, r.count*cuda.WeightBytes)
	}
	if r.count == 0 {
		return p, nil
	}
	if err = g.write(r.first, p); err == nil && r.Packed {
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
