// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

// #include "pages/pages.h"
import "C"

import (
	"errors"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"

	"g500/cuda"
	"g500/lab"
	"g500/lab/pages"
)

// paged holds a graph in pages on one GPU.
type paged struct {
	held   // of c
	c      *C.g500_pages
	layout pages.Layout
	graph  *lab.Graph
	follow held // of levels, if they are followed
	levels *C.g500_levels
	root   uint32
	there  []byte // 1 for each vertex that exists, 0 for removed ones
}

// NewPages returns a machine on the first GPU, which also is a pages.Follower.
func NewPages(l pages.Layout) (pages.Machine, error) {
	d, err := cuda.Open(0)
	if err != nil {
		return nil, err
	}
	return &paged{held: held{device: d}, follow: held{device: d}, layout: l}, nil
}

// Name returns the name of the GPU.
func (p *paged) Name() string { return p.device.String() }

// Load puts a graph into pages.
func (p *paged) Load(g *lab.Graph) error {
	if err := pages.CheckPageBytes(p.layout.PageBytes); err != nil {
		return err
	}
	p.graph, p.there = g, slices.Repeat([]byte{1}, g.Vertices())
	bits := C.uint32_t(bits.TrailingZeros(uint(p.layout.PageBytes / 4)))
	return p.hold(g, "graph in pages", "laying a graph out in pages", func(graph *C.g500_lab_graph) C.int {
		return C.g500_pages_create(graph, bits, C.uint64_t(p.layout.Spare), &p.c, p.device.Stream())
	}, func() { C.g500_pages_free(p.c) })
}

// Follow searches from a root; Apply then keeps the levels up to date.
func (p *paged) Follow(root uint32) error {
	p.root = root
	return p.follow.hold(p.graph, "levels", "searching for levels", func(*C.g500_lab_graph) C.int {
		return C.g500_levels_create(p.c, C.uint32_t(root), &p.levels, p.device.Stream())
	}, func() { C.g500_levels_free(p.levels) })
}

// Apply applies a batch as alternating runs of updates of edges and of vertices. If there are not enough pages for one
// run, Apply undoes all runs and returns pages.ErrFull.
func (p *paged) Apply(updates []pages.Update) (d pages.Done, err error) {
	before := slices.Clone(p.there)
	C.g500_pages_begin(p.c)
	for len(updates) > 0 {
		n := runOf(updates)
		if err = p.run(updates[:n], &d); err != nil {
			break
		}
		updates = updates[n:]
	}
	if errors.Is(err, pages.ErrFull) {
		p.there = before
		undone := p.check("taking updates back", C.g500_pages_undo(p.c, p.device.Stream()))
		return pages.Done{}, errors.Join(err, p.setVertices(), undone, p.searchAgain())
	}
	C.g500_pages_keep(p.c)
	return d, err
}

// searchAgain finds the levels anew, after a batch was undone.
func (p *paged) searchAgain() error {
	if !p.follow.any {
		return nil
	}
	return errors.Join(p.follow.free(), p.Follow(p.root))
}

func ofVertex(u pages.Update) bool { return u.Kind >= pages.AddVertex }

// runOf returns the number of updates at the beginning that are all of edges, or all of vertices.
func runOf(updates []pages.Update) int {
	n := slices.IndexFunc(updates, func(u pages.Update) bool { return ofVertex(u) != ofVertex(updates[0]) })
	if n < 0 {
		return len(updates)
	}
	return n
}

// run applies updates of one sort and updates the levels.
func (p *paged) run(updates []pages.Update, d *pages.Done) (err error) {
	var t C.g500_pages_totals
	if ofVertex(updates[0]) {
		err = p.changeVertices(updates, d, &t)
	} else {
		words := p.packed(updates)
		first := (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(words)))
		err = p.check("applying updates", C.g500_pages_apply(p.c, first, C.uint64_t(len(words)), &t, p.device.Stream()))
		runtime.KeepAlive(words)
		d.Inserted, d.Deleted = d.Inserted+int(t.inserted), d.Deleted+int(t.deleted)
		d.Unchanged, d.Unknown = d.Unchanged+int(t.unchanged), d.Unknown+int(t.unknown)
		d.Found, d.Missing = d.Found+int(t.found), d.Missing+int(t.missing)
	}
	d.Seconds += float64(t.nanoseconds) / 1e9
	if t.full != 0 {
		return pages.ErrFull
	}
	if err != nil || !p.follow.any {
		return err
	}
	var l C.g500_levels_totals
	err = p.check("following levels", C.g500_levels_update(p.levels, p.c, &l, p.device.Stream()))
	d.LevelSeconds, d.Lost = d.LevelSeconds+float64(l.nanoseconds)/1e9, d.Lost+int64(l.lost)
	return err
}

// packed returns updates of edges as in cuda/pages/pages.h. A vertex beyond the last one means no vertex.
func (p *paged) packed(updates []pages.Update) []uint64 {
	words := make([]uint64, len(updates))
	bits, most := uint(C.g500_pages_bits(p.c)), uint32(p.graph.Vertices())
	for i, u := range updates {
		words[i] = (uint64(min(u.U, most))<<bits|uint64(min(u.V, most)))<<2 | uint64(u.Kind)
	}
	return words
}

// changeVertices adds and removes vertices. A removed vertex loses its edges, even if a later update adds it again.
func (p *paged) changeVertices(updates []pages.Update, d *pages.Done, t *C.g500_pages_totals) error {
	gone := make([]byte, len(p.there))
	for _, u := range updates {
		switch known := int(u.U) < len(p.there); {
		case !known && u.Kind == pages.AddVertex:
			d.Unknown++
		case !known || (p.there[u.U] == 1) == (u.Kind == pages.AddVertex):
			d.Unchanged++
		case u.Kind == pages.AddVertex:
			p.there[u.U] = 1
			d.Added++
		default:
			p.there[u.U], gone[u.U] = 0, 1
			d.Removed++
		}
	}
	err := p.check("deleting edges of vertices", C.g500_pages_isolate(p.c, flags(gone), t, p.device.Stream()))
	return errors.Join(err, p.setVertices())
}

// setVertices sets the vertices that exist on the device.
func (p *paged) setVertices() error {
	return p.check("setting vertices", C.g500_pages_set_vertices(p.c, flags(p.there), p.device.Stream()))
}

func flags(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(b))) }

// PagesFree returns the number of pages that no row uses.
func (p *paged) PagesFree() int { return int(C.g500_pages_unused(p.c)) }

// Bytes returns the device memory of the graph, and of its free pages.
func (p *paged) Bytes() (all, free int64) {
	return int64(C.g500_pages_bytes(p.c)), int64(C.g500_pages_unused(p.c) * C.g500_pages_page_bytes(p.c))
}

// Rows returns the graph.
func (p *paged) Rows() (offsets []int64, columns []uint32, err error) {
	offsets, columns = make([]int64, p.graph.Vertices()+1), make([]uint32, C.g500_pages_edges(p.c)+1)
	code := C.g500_pages_read(p.c, (*C.uint64_t)(unsafe.Pointer(&offsets[0])), (*C.uint32_t)(unsafe.Pointer(&columns[0])),
		p.device.Stream())
	return offsets, columns[:len(columns)-1], p.check("reading a graph in pages", code)
}

// Levels returns the levels that Follow keeps up to date.
func (p *paged) Levels() ([]uint32, error) {
	words := make([]uint32, len(p.there))
	return words, p.read(words, C.g500_levels_of(p.levels))
}

// Searcher returns a machine that searches the graph in its pages, or graphs in rows.
func (p *paged) Searcher(inPages bool) (lab.Machine, error) {
	m := &laboratory{held: held{device: p.device}, engines: &lab.Engines{}}
	if inPages {
		m.paged = p
	}
	return m, nil
}

// Close frees all memory and the GPU.
func (p *paged) Close() error { return errors.Join(p.follow.free(), p.free(), p.device.Close()) }
