// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"g500/lab"
)

// GPU has a graph in pages of a layout on a GPU, also an emulated one, in a child process (cuda/lab/child_pages.h). It
// also searches.
type GPU struct {
	*lab.Child
	Layout
	last effects
}

// effects are an answer of the process: the effects of a batch, if it was one, and the pages.
type effects struct {
	Done
	Full        bool
	Unused      int
	Bytes       int64
	UnusedBytes int64 `json:"unused_bytes"`
}

// Load puts a graph into pages.
func (m *GPU) Load(g *lab.Graph) error {
	if err := m.Child.Load(g); err != nil {
		return err
	}
	return m.Ask(&m.last, fmt.Sprintf("pages create %d %d", bits.TrailingZeros(uint(m.PageBytes/4)), m.Spare))
}

// Follow searches from a root; Apply then keeps the levels up to date. The graph must be symmetric before and after
// each batch.
func (m *GPU) Follow(root uint32) error { return m.Ask(nil, fmt.Sprintf("pages follow %d", root)) }

// Apply applies a batch.
func (m *GPU) Apply(updates []Update) (d Done, err error) {
	packed, err := binary.Append(nil, binary.NativeEndian, updates)
	if err == nil {
		err = m.Ask(&m.last, fmt.Sprintf("pages batch %d", len(updates)), packed)
	}
	if err == nil && m.last.Full {
		return d, ErrFull
	}
	return m.last.Done, err
}

// PagesFree returns the number of pages that no row uses.
func (m *GPU) PagesFree() int { return m.last.Unused }

// Bytes returns the device memory of the graph, and of its free pages.
func (m *GPU) Bytes() (all, free int64) { return m.last.Bytes, m.last.UnusedBytes }

// Rows returns the graph.
func (m *GPU) Rows() (*lab.Graph, error) {
	var a struct{ Vertices, Edges int64 }
	if err := m.Ask(&a, "pages rows"); err != nil {
		return nil, err
	}
	g := &lab.Graph{Offsets: make([]int64, a.Vertices+1), Columns: make([]uint32, a.Edges)}
	err := lab.Receive(m.Child, g.Offsets)
	if err == nil {
		err = lab.Receive(m.Child, g.Columns)
	}
	return g, err
}

// Levels returns the levels that Follow keeps up to date, until the next call; lab.None for vertices that are not
// reached.
func (m *GPU) Levels() ([]uint32, error) { return m.Words(nil, "pages levels") }
