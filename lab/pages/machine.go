// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"time"

	"g500/lab"
)

// Layout is the size of pages, and the number of spare pages after a load.
type Layout struct{ PageBytes, Spare int }

// Machine holds a graph in pages of a layout, and applies batches to it. Load puts a graph into pages.
type Machine interface {
	lab.Loader
	// Apply applies a batch, as Graph.Apply does.
	Apply(updates []Update) (Done, error)
	// PagesFree returns the number of pages that no row uses.
	PagesFree() int
	// Bytes returns the memory of the graph, and the part of it that belongs to free pages.
	Bytes() (all, free int64)
	// Rows returns the graph, with the neighbours of each row in any order.
	Rows() (offsets []int64, columns []uint32, err error)
}

// Done has the effects of a batch, the time until the new graph was complete, and the time for updating the levels.
type Done struct {
	Tally        `json:"tally"`
	Seconds      float64 `json:"seconds"`
	LevelSeconds float64 `json:"level_seconds,omitempty"`
	Lost         int64   `json:"levels_lost,omitempty"` // vertices that lost their level, also temporarily
}

// Core is a machine of one CPU thread.
type Core struct {
	*Graph
	layout Layout
	clock  func() time.Duration
}

// NewCore returns a machine without a graph.
func NewCore(l Layout, clock func() time.Duration) *Core { return &Core{layout: l, clock: clock} }

// Name returns the name of the machine.
func (c *Core) Name() string { return "1 CPU thread" }

// Load puts a graph into pages.
func (c *Core) Load(g *lab.Graph) (err error) {
	c.Graph, err = Load(g.Offsets, g.Columns, c.layout.PageBytes, c.layout.Spare)
	return err
}

// Apply applies a batch.
func (c *Core) Apply(updates []Update) (d Done, err error) {
	began := c.clock()
	d.Tally, err = c.Graph.Apply(updates)
	d.Seconds = (c.clock() - began).Seconds()
	return d, err
}

// Rows returns the graph.
func (c *Core) Rows() (offsets []int64, columns []uint32, err error) {
	offsets, columns = c.Graph.Rows()
	return offsets, columns, nil
}

// Close does nothing.
func (c *Core) Close() error { return nil }
