//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"time"
	"unsafe"
)

// Search is what one rank needs on its device for kernel 2: columns derived from its share of the graph, and the state
// of a search.
type Search struct {
	c      *C.g500_search
	device *Device
	held   *holding
	graph  *Graph
	proxy  *hostProxy    // nil where hosts carry no messages
	bits   int           // of each parent in the result
	wait   time.Duration // for another rank, before it is given up
}

// Exchange is the form in which ranks exchange what they have reached, and with it the direction of levels.
type Exchange int

// The exchanges: as each level needs it, words of bitmaps only, or binned pairs only.
const (
	ExchangeAuto   Exchange = C.G500_EXCHANGE_AUTO
	ExchangeBitmap Exchange = C.G500_EXCHANGE_BITMAP
	ExchangeBins   Exchange = C.G500_EXCHANGE_BINS
)

// SearchOptions are what a search is created with.
type SearchOptions struct {
	Sharers    int // ranks that search on this device at once
	ResultBits int // of each parent in the result: 32 or 64
	Exchange   Exchange
	Policy     Policy
}

// NewSearch prepares searches of a graph, which must outlive it. It can run when the positions in FirstNeighbours are
// replaced by labels and it is connected.
func (g *Graph) NewSearch(o SearchOptions) (*Search, error) {
	d := g.device
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	options := C.g500_search_options{
		sharers: C.uint32_t(o.Sharers), result_bits: C.uint32_t(o.ResultBits),
		exchange: C.int(o.Exchange), policy: o.Policy.on(d).c(),
	}
	var c *C.g500_search
	if err := check("preparing searches", C.g500_search_create(g.c, &options, &c, d.onStream())); err != nil {
		return nil, d.short(err)
	}
	s := &Search{c: c, device: d, graph: g, bits: o.ResultBits, wait: o.Policy.wait()}
	s.held = d.made("search", before, func() error {
		C.g500_search_free(c)
		return nil
	})
	return s, d.Synchronize()
}

// Free gives the memory back.
func (s *Search) Free() error { return s.device.ledger.remove(s.held) }

// FirstNeighbours are the positions of the first neighbour of each of the graph's hubs, whose words have to be replaced
// by those of the labels before a search; NoVertex where all neighbours of a vertex are leaves.
func (s *Search) FirstNeighbours() Positions {
	return s.device.positions(C.g500_search_first_neighbours(s.c), s.graph.Hubs())
}

// FirstNeighbourEdges holds a bit for each edge of the core, in 32-bit words: whether it leads to a vertex by that
// one's first neighbour. It is empty before Connect, with ExchangeBins, and where not all ranks are peers: no level
// pushes into a bitmap there.
func (s *Search) FirstNeighbourEdges() Memory {
	at := C.g500_search_first_neighbour_edges(s.c)
	if at == nil {
		return Memory{}
	}
	return s.device.run(unsafe.Pointer(at), (s.graph.CoreEdges()+31)/32*wordBytes)
}

// Degrees counts this rank's vertices in each class of hub ids, and the edges that leave them.
func (s *Search) Degrees() (vertices, edges []int64, err error) {
	vertices, edges = make([]int64, C.G500_DEGREE_CLASSES), make([]int64, C.G500_DEGREE_CLASSES)
	ofVertices, ofEdges := (*C.uint64_t)(unsafe.Pointer(&vertices[0])), (*C.uint64_t)(unsafe.Pointer(&edges[0]))
	return vertices, edges, check("counting degrees",
		C.g500_search_degrees(s.c, ofVertices, ofEdges, s.device.onStream()))
}

// Run searches from a label and returns when this rank's part of the search has ended. All ranks search alike. Where
// hosts carry messages, exchange takes them to the other ranks. There, and where labels may be deferred, Relabel brings
// the tree into label order.
func (s *Search) Run(root uint64, exchange Exchanger) error {
	code := C.g500_search_run(s.c, C.uint64_t(root), s.device.onStream())
	if err := check("starting a search", code); err != nil {
		return err
	}
	served := s.serve(exchange)
	code = C.g500_search_await(s.c, s.device.onStream())
	if code == C.G500_GIVEN_UP {
		return errors.Join(served, givenUp(C.g500_search_stall(s.c), s.wait))
	}
	return errors.Join(served, check("waiting for a search", code))
}

// End has the search that is under way, or the next one, return ErrEnded, on all ranks that search together. It may be
// called by any goroutine, but not after Free.
func (s *Search) End() { C.g500_search_end(s.c) }

// Arm launches the kernel of the next search, which waits for its root, for a minute at most. Nothing else should be
// done on the device until that search runs, or is called off by Disarm.
func (s *Search) Arm() error {
	return check("launching a search", C.g500_search_arm(s.c, s.device.onStream()))
}

// Disarm ends a search that was launched and has no root. It does nothing if there is none.
func (s *Search) Disarm() error { return check("calling a search off", C.g500_search_disarm(s.c)) }

// Deferred gives the positions of parents whose labels this rank has to ask for, as many as it may ask for at a time,
// in the words of which the labels go. None are left when it gives none.
func (s *Search) Deferred() (positions Positions, n int64, err error) {
	var count C.uint32_t
	err = check("looking for deferred labels", C.g500_search_deferred(s.c, &count, s.device.onStream()))
	return s.device.positions(C.g500_search_deferred_positions(s.c), int64(count)), int64(count), err
}

// SettleDeferred takes the labels of the n positions.
func (s *Search) SettleDeferred(n int64) error {
	return check("storing deferred labels",
		C.g500_search_settle_deferred(s.c, C.uint32_t(n), s.device.onStream()))
}

// Relabel brings the tree of a search from root into label order when all its labels are there.
func (s *Search) Relabel(root uint64) error {
	if err := check("relabelling", C.g500_search_relabel(s.c, C.uint64_t(root), s.device.onStream())); err != nil {
		return err
	}
	return s.device.Synchronize()
}

// Parents is this rank's part of the tree of the last search: for each label that it owns the parent's, or -1, in words
// of SearchOptions.ResultBits.
func (s *Search) Parents() Memory {
	return s.device.run(unsafe.Pointer(C.g500_search_parents(s.c)), int64(s.bits)/8*s.graph.Owned())
}
