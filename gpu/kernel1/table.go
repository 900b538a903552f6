// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// openTable chooses the format of labels, until allocate, and opens the table of all labels. The table has at most a
// quarter of the free memory, with packed rows, which need it, three eighths: counts take as much, buffers less.
func (c *construction) openTable() error {
	free, err := device.Free(c.t)
	if err != nil {
		return err
	}
	host := c.t.Host()
	ranks := int64(host.Size())
	c.slice = (Share(c.vertices, host.Size()) + 3) / 4 * 4 // multiples of 16 bytes are gathered
	bytes := ranks * c.slice * LabelBytes
	share := free / 4
	if c.Packed {
		share = 3 * free / 8
	}
	least, err := comm.Reduce(host, min(share, c.limits.table, MaxIDs32*LabelBytes), comm.Min)
	if err != nil {
		return err
	}
	c.labels64 = ranks > 1 && (c.limits.long || bytes > least)
	if !c.labels64 || bytes <= least {
		c.table, err = c.t.Open("words of all labels", bytes)
	}
	return c.agree(errors.Join(err, c.checkFormat()))
}

// addCounts counts the ends of each rank's tuples at all labels, and adds up the counts.
func (c *construction) addCounts() error {
	counts, err := c.builder.CountAll(c.slice)
	if err == nil {
		err = c.given.Each(Format{}, func(tuples, _ cuda.Memory) error { return c.builder.CountTuples(tuples) })
	}
	if err := c.agree(err); err != nil {
		return err
	}
	slice := slices.Repeat([]int64{c.slice * LabelBytes}, c.t.Host().Size())
	if _, err := c.t.AllToAll(counts, slice, c.table); err != nil {
		return err
	}
	return c.builder.AddCounts(c.table.Memory)
}

// gatherLocalIDs gathers the local ids of all labels in the table, for ends with packed ids.
func (c *construction) gatherLocalIDs(shift int) error {
	local, part := c.builder.Graph().LocalIDs(), c.slice*LabelBytes
	err := c.t.Device().Copy(c.table.Part(int64(c.t.Host().Rank())*part, local.Bytes()), local)
	if err := c.agree(err); err != nil {
		return err
	}
	c.exchange.Bins.Know(c.table.Memory, c.slice, shift)
	return c.t.AllGather(c.table, part)
}
