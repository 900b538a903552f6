//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"

	"g500/cuda"
	"g500/graph"
)

// hostTuples are edge tuples in pinned host memory, in narrow form, and their weights (ADR 16). A lane
// brings them to the device piece by piece: the next one is on its way while the device works on the one before, so
// that a pass over all of them takes as long as the work or as the copies, whichever is longer.
type hostTuples struct {
	device  *cuda.Device
	lane    *cuda.Lane
	count   int64
	staged  int64        // tuples of a piece at most, the same on ranks with fewer
	narrow  *hostColumn  // the tuples
	weights *hostColumn  // nil where there are none
	wide    *cuda.Buffer // the piece that the device works on
	turn    int          // which buffer of each column comes next
	coming  run          // on its way to that buffer
}

// run is a run of tuples.
type run struct {
	first, count int64
	weighted     bool // and their weights
}

// newHostTuples allocates the device memory of tuples in host memory: room for pieces of that many tuples.
func newHostTuples(d *cuda.Device, count, staged int64, weighted bool) (*hostTuples, error) {
	h := &hostTuples{device: d, count: count, staged: staged}
	if err := h.open(weighted); err != nil {
		return nil, errors.Join(err, h.free())
	}
	return h, nil
}

func (h *hostTuples) open(weighted bool) (err error) {
	if h.lane, err = h.device.NewLane(); err != nil {
		return err
	}
	if h.wide, err = h.device.Alloc("a piece of the edge tuples", h.most()*int64(graph.EdgeBytes)); err != nil {
		return err
	}
	h.narrow = h.column("edge tuples", cuda.NarrowBytes)
	if err = h.narrow.reserve(h.most()); err == nil && weighted {
		h.weights = h.column("weights of edge tuples", cuda.WeightBytes)
		err = h.weights.reserve(h.most())
	}
	return err
}

// most is the number of tuples of the longest piece.
func (h *hostTuples) most() int64 { return min(h.staged, h.count) }

func (h *hostTuples) column(label string, element int64) *hostColumn {
	return &hostColumn{
		device: h.device, lane: h.lane, label: label, element: element, bytes: h.count * element, block: blockBytes,
	}
}

// columns returns the columns with elements of a run.
func (h *hostTuples) columns(r run) []*hostColumn {
	if r.weighted {
		return []*hostColumn{h.narrow, h.weights}
	}
	return []*hostColumn{h.narrow}
}

// piece brings tuples to the device, where they stay until the next call, and begins to bring as many of those behind
// them. It waits for the work given to the device before.
func (h *hostTuples) piece(want run) (p piece, err error) {
	if want.count > h.staged {
		return p, fmt.Errorf("gpu: %d tuples at a time, and there is room for %d", want.count, h.staged)
	}
	if want.count == 0 {
		return h.room(want), nil
	}
	err = h.device.Synchronize() // no work reads the buffers any more
	if err == nil && h.coming != want {
		err = h.bring(want)
	}
	if err == nil {
		err = h.lane.Wait()
	}
	if err != nil {
		return p, err
	}
	arrived := h.turn
	h.turn, h.coming = 1-h.turn, run{}
	behind := run{want.first + want.count, want.count, want.weighted}
	behind.count = min(behind.count, h.count-behind.first)
	if behind.count > 0 {
		if err := h.bring(behind); err != nil {
			return p, err
		}
	}
	p = h.parts(want, arrived)
	return p, h.device.Widen(h.narrow.part(arrived, want.count), p.edges)
}

// bring starts to copy tuples to the device.
func (h *hostTuples) bring(want run) error {
	for _, c := range h.columns(want) {
		if err := c.bring(want, h.turn); err != nil {
			return err
		}
	}
	h.coming = want
	return nil
}

// room returns the memory for tuples before they are kept. Weights are in a buffer from which no copy is under way,
// because keep has waited for it.
func (h *hostTuples) room(r run) piece { return h.parts(r, h.turn) }

// parts returns a run of tuples on the device, with weights in the given buffer.
func (h *hostTuples) parts(r run, buffer int) (p piece) {
	p.edges = h.wide.Part(0, r.count*int64(graph.EdgeBytes))
	if r.weighted {
		p.weights = h.weights.part(buffer, r.count)
	}
	return p
}

// keep starts to copy the tuples in their room to host memory. The copy before is done then. All are written in order
// before any is read.
func (h *hostTuples) keep(r run) error {
	err := h.device.Narrow(h.room(r).edges, h.narrow.buffers[h.turn].Memory)
	if err == nil {
		err = h.device.Synchronize()
	}
	if err == nil {
		err = h.lane.Wait()
	}
	for _, c := range h.columns(r) {
		if err == nil {
			err = c.keep(r, h.turn)
		}
	}
	h.turn = 1 - h.turn
	return err
}

// free gives everything back.
func (h *hostTuples) free() error {
	var faults []error
	if h.lane != nil {
		faults = append(faults, h.lane.Close())
	}
	if h.wide != nil {
		faults = append(faults, h.wide.Free())
	}
	for _, c := range []*hostColumn{h.narrow, h.weights} {
		if c != nil {
			faults = append(faults, c.free())
		}
	}
	return errors.Join(faults...)
}
