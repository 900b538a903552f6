//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"

	"g500/cuda"
	"g500/graph"
)

// hostTuples are edge tuples in pinned host memory, in narrow form (ADR 16). A lane brings them to the device piece by
// piece: the next one is on its way while the device works on the one before, so that a pass over all of them takes as
// long as the work or as the copies, whichever is longer.
type hostTuples struct {
	device *cuda.Device
	lane   *cuda.Lane
	bytes  int64          // of all tuples
	block  int64          // bytes of a block
	blocks []*cuda.Pinned // equally long, but for the last; taken when they are written to first
	staged int64          // tuples of a piece at most, the same on ranks with fewer
	narrow [2]*cuda.Buffer
	wide   *cuda.Buffer // the piece that the device works on
	turn   int          // which narrow buffer comes next
	coming run          // on its way to that buffer
}

// run is a run of tuples.
type run struct{ first, count int64 }

// newHostTuples takes what tuples in host memory need on the device: room for pieces of so many tuples.
func newHostTuples(d *cuda.Device, count, staged int64) (*hostTuples, error) {
	h := &hostTuples{device: d, bytes: count * cuda.NarrowBytes, block: blockBytes, staged: staged}
	room := min(staged, count)
	var err error
	if h.lane, err = d.NewLane(); err == nil {
		h.wide, err = d.Alloc("a piece of the edge tuples", room*int64(graph.EdgeBytes))
	}
	for i := range h.narrow {
		if err == nil {
			h.narrow[i], err = d.Alloc("a piece of the edge tuples", room*cuda.NarrowBytes)
		}
	}
	if err != nil {
		return nil, errors.Join(err, h.free())
	}
	return h, nil
}

// piece brings tuples to the device, where they stay until the next call, and begins to bring as many of those behind
// them. It waits for the work given to the device before.
func (h *hostTuples) piece(want run) (cuda.Memory, error) {
	if want.count > h.staged {
		return cuda.Memory{}, fmt.Errorf("gpu: %d tuples at a time, and there is room for %d", want.count, h.staged)
	}
	err := h.device.Synchronize() // nobody reads the buffers any more
	if err == nil && h.coming != want {
		err = h.bring(want)
	}
	if err == nil {
		err = h.lane.Wait()
	}
	if err != nil {
		return cuda.Memory{}, err
	}
	arrived := h.narrow[h.turn]
	h.turn, h.coming = 1-h.turn, run{}
	behind := run{want.first + want.count, want.count}
	behind.count = min(behind.count, h.bytes/cuda.NarrowBytes-behind.first)
	if behind.count > 0 {
		if err := h.bring(behind); err != nil {
			return cuda.Memory{}, err
		}
	}
	into := h.wide.Part(0, want.count*int64(graph.EdgeBytes))
	return into, h.device.Widen(arrived.Memory, into)
}

// bring starts to copy tuples to the device.
func (h *hostTuples) bring(want run) error {
	for _, s := range spans(want.first*cuda.NarrowBytes, want.count*cuda.NarrowBytes, h.block) {
		to := h.narrow[h.turn].Part(s.after, s.bytes)
		if err := h.lane.Write(to, h.blocks[s.block].Bytes[s.offset:s.offset+s.bytes]); err != nil {
			return err
		}
	}
	h.coming = want
	return nil
}

// keep starts to copy the tuples at the front of wide to host memory, where they are number first and the following.
// The copy before is done then. All are written in order before any is read.
func (h *hostTuples) keep(first, count int64) error {
	from := h.narrow[h.turn]
	err := h.device.Narrow(h.wide.Part(0, count*int64(graph.EdgeBytes)), from.Memory)
	if err == nil {
		err = h.device.Synchronize()
	}
	if err == nil {
		err = h.lane.Wait()
	}
	if err != nil {
		return err
	}
	for _, s := range spans(first*cuda.NarrowBytes, count*cuda.NarrowBytes, h.block) {
		into, err := h.blockAt(s.block)
		if err == nil {
			err = h.lane.Read(into.Bytes[s.offset:s.offset+s.bytes], from.Part(s.after, s.bytes))
		}
		if err != nil {
			return err
		}
	}
	h.turn = 1 - h.turn
	return nil
}

// blockAt takes the memory of a block, unless that is done.
func (h *hostTuples) blockAt(i int) (*cuda.Pinned, error) {
	for len(h.blocks) <= i {
		bytes := min(h.block, h.bytes-int64(len(h.blocks))*h.block)
		block, err := h.device.AllocPinned("edge tuples", bytes)
		if err != nil {
			return nil, fmt.Errorf("%w, after %d blocks: free host memory, or use a smaller scale", err, len(h.blocks))
		}
		h.blocks = append(h.blocks, block)
	}
	return h.blocks[i], nil
}

// free gives everything back.
func (h *hostTuples) free() error {
	var faults []error
	if h.lane != nil {
		faults = append(faults, h.lane.Close())
	}
	for _, b := range append(h.narrow[:], h.wide) {
		if b != nil {
			faults = append(faults, b.Free())
		}
	}
	for _, b := range h.blocks {
		faults = append(faults, b.Free())
	}
	h.blocks = nil
	return errors.Join(faults...)
}
