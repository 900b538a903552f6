// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"

	"g500/cuda"
)

// hostArray is an array in pinned host memory with one element for each tuple. A copy stream copies pieces of it to the
// device, into two buffers alternately.
type hostArray struct {
	device  *cuda.Device
	copies  *cuda.CopyStream
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

// load starts to copy a run of elements to a buffer.
func (a *hostArray) load(r run, buffer int) error {
	for _, s := range spans(r.first*a.element, r.count*a.element, a.block) {
		to := a.buffers[buffer].Part(s.after, s.bytes)
		if err := a.copies.Write(to, a.blocks[s.block].Bytes[s.offset:s.offset+s.bytes]); err != nil {
			return err
		}
	}
	return nil
}

// store starts to copy a run of elements from a buffer to its place in the array.
func (a *hostArray) store(r run, buffer int) error {
	for _, s := range spans(r.first*a.element, r.count*a.element, a.block) {
		into, err := a.blockAt(s.block)
		if err == nil {
			err = a.copies.Read(into.Bytes[s.offset:s.offset+s.bytes], a.buffers[buffer].Part(s.after, s.bytes))
		}
		if err != nil {
			return err
		}
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
