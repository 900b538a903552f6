//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"

	"g500/cuda"
)

// hostColumn is an array in pinned host memory with one element for each tuple, of which pieces come to the device by a
// lane, into two buffers alternately.
type hostColumn struct {
	device  *cuda.Device
	lane    *cuda.Lane
	label   string         // what the elements are
	element int64          // bytes of one
	bytes   int64          // of all
	block   int64          // bytes of a block
	blocks  []*cuda.Pinned // equally long, but for the last; taken when they are written to first
	buffers [2]*cuda.Buffer
}

// reserve allocates the buffers, with room for that many elements each.
func (c *hostColumn) reserve(room int64) (err error) {
	for i := range c.buffers {
		if c.buffers[i], err = c.device.Alloc("a piece of the "+c.label, room*c.element); err != nil {
			return err
		}
	}
	return nil
}

// part returns the front of a buffer, with that many elements.
func (c *hostColumn) part(buffer int, count int64) cuda.Memory {
	return c.buffers[buffer].Part(0, count*c.element)
}

// bring starts to copy a run of elements to a buffer.
func (c *hostColumn) bring(r run, buffer int) error {
	for _, s := range spans(r.first*c.element, r.count*c.element, c.block) {
		to := c.buffers[buffer].Part(s.after, s.bytes)
		if err := c.lane.Write(to, c.blocks[s.block].Bytes[s.offset:s.offset+s.bytes]); err != nil {
			return err
		}
	}
	return nil
}

// keep starts to copy a run of elements from a buffer to where they belong.
func (c *hostColumn) keep(r run, buffer int) error {
	for _, s := range spans(r.first*c.element, r.count*c.element, c.block) {
		into, err := c.blockAt(s.block)
		if err == nil {
			err = c.lane.Read(into.Bytes[s.offset:s.offset+s.bytes], c.buffers[buffer].Part(s.after, s.bytes))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// blockAt takes the memory of a block, unless that is done.
func (c *hostColumn) blockAt(i int) (*cuda.Pinned, error) {
	for len(c.blocks) <= i {
		bytes := min(c.block, c.bytes-int64(len(c.blocks))*c.block)
		block, err := c.device.AllocPinned(c.label, bytes)
		if err != nil {
			return nil, fmt.Errorf("%w, after %d blocks: free host memory, or use a smaller scale", err, len(c.blocks))
		}
		c.blocks = append(c.blocks, block)
	}
	return c.blocks[i], nil
}

// free gives everything back.
func (c *hostColumn) free() error {
	var faults []error
	for _, b := range c.buffers {
		if b != nil {
			faults = append(faults, b.Free())
		}
	}
	for _, b := range c.blocks {
		faults = append(faults, b.Free())
	}
	c.blocks = nil
	return errors.Join(faults...)
}
