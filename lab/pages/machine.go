// SPDX-License-Identifier: Apache-2.0

package pages

import "g500/lab"

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
	// Rows returns the graph in rows, without its name.
	Rows() (*lab.Graph, error)
}

// Done has the effects of a batch, the time until the new graph was complete, and the time for updating the levels.
type Done struct {
	Tally        `json:"tally"`
	Seconds      float64 `json:"seconds"`
	LevelSeconds float64 `json:"level_seconds,omitempty"`
	Lost         int64   `json:"levels_lost,omitempty"` // vertices that lost their level, also temporarily
}
