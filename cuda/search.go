//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

// Search is what one rank needs on its device for kernel 2: columns derived from its share of the graph, and the state
// of a search.
type Search struct {
	c       *C.g500_search
	device  *Device
	held    *holding
	graph   *Graph
	carried carried
}

// Exchange is the form in which ranks exchange what they have reached, and with it the direction of levels.
type Exchange int

// The exchanges: as each level needs it, words of bitmaps only, or pairs in bins only.
const (
	ExchangeAuto   Exchange = C.G500_EXCHANGE_AUTO
	ExchangeBitmap Exchange = C.G500_EXCHANGE_BITMAP
	ExchangeBins   Exchange = C.G500_EXCHANGE_BINS
)

// NewSearch prepares searches of a graph, which must outlive it, on a device that so many ranks share. It can run when
// the positions in FirstNeighbours are replaced by labels and it is connected.
func (g *Graph) NewSearch(sharers int, exchange Exchange) (*Search, error) {
	d := g.device
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	var c *C.g500_search
	if err := check("preparing searches", C.g500_search_create(g.c, C.uint32_t(sharers), C.int(exchange), &c, d.onStream())); err != nil {
		return nil, d.short(err)
	}
	s := &Search{c: c, device: d, graph: g}
	s.held = d.made("search", before, func() error {
		C.g500_search_free(c)
		return nil
	})
	return s, d.Synchronize()
}

// Free gives the memory back.
func (s *Search) Free() error { return s.device.ledger.remove(s.held) }

// FirstNeighbours holds a 32-bit word for each of the graph's hubs: the position of its first neighbour, which has to be
// replaced by that one's label before a search.
func (s *Search) FirstNeighbours() Memory {
	return s.device.run(unsafe.Pointer(C.g500_search_first_neighbours(s.c)), wordBytes*s.graph.Hubs())
}

// Firsts holds a bit for each edge, in 32-bit words: whether it leads to a vertex by that one's first neighbour. It is empty
// before Connect, with ExchangeBins, and where ranks are no peers: no level marks there.
func (s *Search) Firsts() Memory {
	at := C.g500_search_firsts(s.c)
	if at == nil {
		return Memory{}
	}
	return s.device.run(unsafe.Pointer(at), (s.graph.Edges()+31)/32*wordBytes)
}

// WindowBytes is the size of the window that this rank needs: memory into which its peers write.
func (s *Search) WindowBytes() int64 { return int64(C.g500_search_window_bytes(s.c)) }

// World is what a rank of a search knows of all ranks.
type World struct {
	Hubs, Edges int64         // of all ranks
	Most        int64         // hubs of one rank at most
	Known       int64         // hub ids of each rank whose labels are in Labels
	Labels      Memory        // by rank, then hub id below Known: 32-bit words
	Windows     []Memory      // by rank, this one's included; empty where a rank is no peer
	Boards      []Memory      // by rank, this one's included; empty where a rank has none that is read here
	Rows, Cols  []Memory      // by rank: arrays of its graph, this one's included; none if not all ranks are peers
	HubOf       []Memory      // the same
	Degrees     []uint32      // mean degree in each class of hub ids, of all ranks, in sixteenths
	Patience    time.Duration // for which a rank waits for another
	Apart       bool          // some rank of the job is no peer of another
	Carried     bool          // and has no board for it: hosts carry messages
	Ask         int64         // labels to ask for at a time after such a search; 0 if there never are any
}

// Census counts this rank's vertices in each class of hub ids, and the edges that leave them.
func (s *Search) Census() (vertices, edges []int64, err error) {
	vertices, edges = make([]int64, C.G500_DEGREE_CLASSES), make([]int64, C.G500_DEGREE_CLASSES)
	code := C.g500_search_census(s.c, (*C.uint64_t)(unsafe.Pointer(&vertices[0])), (*C.uint64_t)(unsafe.Pointer(&edges[0])), s.device.onStream())
	return vertices, edges, check("counting degrees", code)
}

// hubsOf counts the rows of each rank's graph, whose row offsets these are.
func hubsOf(rows []Memory) []uint32 {
	hubs := make([]uint32, len(rows))
	for r, offsets := range rows {
		hubs[r] = uint32(offsets.Bytes()/(2*wordBytes) - 1)
	}
	return hubs
}

// BoardBytes is the size of the board that this rank needs where others of its host are no peers: zeroed memory of the host
// that their devices read. Most is that of World. It has to be asked for before Connect.
func (s *Search) BoardBytes(most int64) int64 {
	return int64(C.g500_search_board_bytes(s.c, C.uint32_t(most)))
}

// Connect allocates the state, and clears this rank's window. No rank may search before all are connected.
func (s *Search) Connect(w World) error {
	windows, boards := addresses(w.Windows), addresses(w.Boards)
	defer C.free(unsafe.Pointer(windows))
	defer C.free(unsafe.Pointer(boards))
	world := C.g500_world{
		hubs: C.uint64_t(w.Hubs), edges: C.uint64_t(w.Edges), most: C.uint32_t(w.Most),
		prefix: C.uint32_t(w.Known), d_labels: pointer[C.uint32_t](w.Labels.address),
		windows: windows, boards: boards, patience: C.uint64_t(w.Patience.Nanoseconds()), ask: C.uint32_t(w.Ask),
	}
	if w.Apart {
		world.apart = 1
	}
	if len(w.Rows) > 0 {
		world.rows, world.cols, world.hub_of = addresses(w.Rows), addresses(w.Cols), addresses(w.HubOf)
		defer C.free(unsafe.Pointer(world.rows))
		defer C.free(unsafe.Pointer(world.cols))
		defer C.free(unsafe.Pointer(world.hub_of))
		var held runtime.Pinner
		defer held.Unpin()
		vertices := hubsOf(w.Rows)
		held.Pin(&vertices[0])
		world.vertices = (*C.uint32_t)(unsafe.Pointer(&vertices[0]))
		held.Pin(&w.Degrees[0])
		world.degrees = (*C.uint32_t)(unsafe.Pointer(&w.Degrees[0]))
	}
	if w.Carried {
		world.carried = 1
	}
	if err := check("connecting searches", C.g500_search_connect(s.c, &world, s.device.onStream())); err != nil {
		return s.device.short(err)
	}
	if w.Carried {
		s.carried = s.newCarried(len(w.Windows))
	}
	return nil
}

// addresses lists where memory lies, for C to read and to be freed by C.
func addresses(memory []Memory) *unsafe.Pointer {
	list := (*unsafe.Pointer)(C.calloc(C.size_t(len(memory)), C.size_t(unsafe.Sizeof(unsafe.Pointer(nil)))))
	for r, m := range memory {
		unsafe.Slice(list, len(memory))[r] = unsafe.Pointer(pointer[byte](m.address))
	}
	return list
}

// Run searches from a label and returns when this rank's part of the tree is finished. All ranks search alike. Where some
// get messages, exchange carries them between the hosts. There, and where labels may have to be asked for, the tree is to
// be finished by Finish.
func (s *Search) Run(root uint32, exchange Exchanger) error {
	if err := check("starting a search", C.g500_search_run(s.c, C.uint32_t(root), s.device.onStream())); err != nil {
		return err
	}
	if err := errors.Join(s.carry(exchange), s.device.Synchronize()); err != nil {
		return err
	}
	if silent := int(C.g500_search_failure(s.c)); silent >= 0 {
		return fmt.Errorf("cuda: rank %d did not answer during a search: see what it says, and whether its GPU is at work", silent)
	}
	return nil
}

// Parents is this rank's part of the tree of the last search: for each label that it owns the parent's, or NoVertex.
func (s *Search) Parents() Memory {
	return s.device.run(unsafe.Pointer(C.g500_search_parents(s.c)), wordBytes*s.graph.Owned())
}

// Direction is what a step of a search did.
type Direction int

// The steps: a level in one of two directions, or the last pass, which brings the tree into label order, from the end of
// the last level on.
const (
	TopDown Direction = iota
	BottomUp
	LabelOrder
)

// Level is one step of a search, as this rank saw it.
type Level struct {
	Direction                Direction
	Frontier                 int64 // vertices, of all ranks
	Edges                    int64 // that leave the frontier, of all ranks; top-down only
	Nanoseconds              int64
	Exchange, Wait           int64 // of them: with words from and for others; waiting for others
	WordsSent, WordsReceived int64 // 32-bit words of bitmaps
	PairsSent, PairsReceived int64 // in bins, of 8 bytes
	EdgesSent, EdgesReceived int64 // in rows, which peers read, and this rank from them
	Carried                  Carried
}

// Carried is what the hosts have carried in a step: to and from ranks that are no peers.
type Carried struct {
	BitmapSent, BitmapReceived int64 // bytes, of lists of words or whole parts
	PairsSent, PairsReceived   int64
}

// mostLevels bounds the levels that a trace tells of.
const mostLevels = 1024

// Trace tells what each step of the last search did. Of a search with very many levels it tells the first.
func (s *Search) Trace() ([]Level, error) {
	levels := make([]C.g500_level, mostLevels)
	var n C.int
	if err := check("reading the trace", C.g500_search_trace(s.c, &levels[0], mostLevels, &n, s.device.onStream())); err != nil {
		return nil, err
	}
	trace := make([]Level, n)
	for i := range trace {
		l := levels[i]
		trace[i] = Level{
			Direction(l.direction), int64(l.frontier), int64(l.edges), int64(l.nanoseconds), int64(l.exchange), int64(l.wait),
			int64(l.words_sent), int64(l.words_received), int64(l.pairs_sent), int64(l.pairs_received),
			int64(l.edges_sent), int64(l.edges_received),
			Carried{int64(l.carried_words_sent), int64(l.carried_words_received), int64(l.carried_pairs_sent), int64(l.carried_pairs_received)},
		}
	}
	return trace, nil
}
