//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// Pages is a graph in pages on a device.
type Pages struct {
	allocated
	c        *C.g500_pages
	vertices int
}

// NewPages stores a graph in pages of 1 << pageBits neighbours, with a number of unused pages.
func (d *Device) NewPages(g LabGraph, pageBits, spare int) (*Pages, error) {
	p := &Pages{vertices: len(g.Offsets) - 1}
	var err error
	p.allocated, err = d.allocate("graph in pages", func() error {
		return g.pinned(func(graph *C.g500_lab_graph) error {
			code := C.g500_pages_create(graph, C.uint32_t(pageBits), C.uint64_t(spare), &p.c, d.onStream())
			return check("laying a graph out in pages", code)
		})
	}, func() { C.g500_pages_free(p.c) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Update is an update of an edge, as in cuda/pages/pages.h. A vertex beyond the last one means no vertex.
func (p *Pages) Update(kind uint64, u, v uint32) uint64 {
	bits, most := uint(C.g500_pages_bits(p.c)), uint32(p.vertices)
	return (uint64(min(u, most))<<bits|uint64(min(v, most)))<<2 | kind
}

// PagesTotals has the counters of a batch.
type PagesTotals struct {
	Inserted, Deleted, Unchanged, Unknown, Found, Missing int
	Seconds                                               float64
	Full                                                  bool // the pages did not suffice, and nothing was changed
}

func totalsOf(t C.g500_pages_totals) PagesTotals {
	return PagesTotals{int(t.inserted), int(t.deleted), int(t.unchanged), int(t.unknown), int(t.found), int(t.missing),
		float64(t.nanoseconds) / 1e9, t.full != 0}
}

// Apply applies all updates of edges, or none.
func (p *Pages) Apply(updates []uint64) (PagesTotals, error) {
	var t C.g500_pages_totals
	first := (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(updates)))
	err := check("applying updates", C.g500_pages_apply(p.c, first, C.uint64_t(len(updates)), &t, p.device.onStream()))
	runtime.KeepAlive(updates)
	return totalsOf(t), p.device.withHoldings(err)
}

// Isolate deletes all edges of the chosen vertices; chosen has one byte per vertex.
func (p *Pages) Isolate(chosen []byte) (PagesTotals, error) {
	var t C.g500_pages_totals
	err := check("deleting edges of vertices", C.g500_pages_isolate(p.c, flagsOf(chosen), &t, p.device.onStream()))
	return totalsOf(t), p.device.withHoldings(err)
}

// SetVertices sets the vertices that exist, one byte each.
func (p *Pages) SetVertices(there []byte) error {
	return check("setting vertices", C.g500_pages_set_vertices(p.c, flagsOf(there), p.device.onStream()))
}

func flagsOf(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(b))) }

// Begin starts a log of changes, which ends with Keep or with Undo, which reverts them.
func (p *Pages) Begin() { C.g500_pages_begin(p.c) }

// Keep is described with Begin.
func (p *Pages) Keep() { C.g500_pages_keep(p.c) }

// Undo is described with Begin.
func (p *Pages) Undo() error {
	return p.device.withHoldings(check("taking updates back", C.g500_pages_undo(p.c, p.device.onStream())))
}

// Unused returns the number of unused pages.
func (p *Pages) Unused() int { return int(C.g500_pages_unused(p.c)) }

// Bytes returns the device memory of the graph, and the part of it that belongs to unused pages.
func (p *Pages) Bytes() (all, unused int64) {
	return int64(C.g500_pages_bytes(p.c)), int64(C.g500_pages_unused(p.c) * C.g500_pages_page_bytes(p.c))
}

// Read copies the graph to the host, its rows in any order.
func (p *Pages) Read() (offsets []int64, columns []uint32, err error) {
	offsets, columns = make([]int64, p.vertices+1), make([]uint32, C.g500_pages_edges(p.c)+1)
	code := C.g500_pages_read(p.c, (*C.uint64_t)(unsafe.Pointer(&offsets[0])), (*C.uint32_t)(unsafe.Pointer(&columns[0])),
		p.device.onStream())
	return offsets, columns[:len(columns)-1], check("reading a graph in pages", code)
}

// NewLabOnPages returns a laboratory that searches the graph in its pages. It is invalid after the next batch.
func (p *Pages) NewLabOnPages() (*Lab, error) {
	l := &Lab{vertices: int64(p.vertices)}
	var err error
	l.allocated, err = p.device.allocate("laboratory on pages", func() error {
		return check("searching pages", C.g500_lab_create_on_pages(p.c, &l.c))
	}, func() { C.g500_lab_free(l.c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Levels has the levels of a search, which are updated after each batch.
type Levels struct {
	allocated
	c     *C.g500_levels
	pages *Pages
}

// NewLevels searches from a root, and returns the levels.
func (p *Pages) NewLevels(root uint32) (*Levels, error) {
	l := &Levels{pages: p}
	var err error
	l.allocated, err = p.device.allocate("levels", func() error {
		code := C.g500_levels_create(p.c, C.uint32_t(root), &l.c, p.device.onStream())
		return check("searching for levels", code)
	}, func() { C.g500_levels_free(l.c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Update follows the last batch, which has been noted. It tells how many vertices lost their level for a while.
func (l *Levels) Update() (seconds float64, lost int64, err error) {
	var t C.g500_levels_totals
	err = check("following levels", C.g500_levels_update(l.c, l.pages.c, &t, l.device.onStream()))
	return float64(t.nanoseconds) / 1e9, int64(t.lost), err
}

// Words are the levels on the device, 32 bits each.
func (l *Levels) Words() Memory {
	return l.device.memory(unsafe.Pointer(C.g500_levels_of(l.c)), wordBytes*int64(l.pages.vertices))
}
