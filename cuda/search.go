// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"math"
	"runtime"
	"time"
	"unsafe"

	"gorgonia.org/cu"

	"g500/internal/lists"
	"g500/internal/trace"
	"g500/policy"
)

// Search has one rank's arrays for kernel 2, which are derived from its share of the graph, and the state of a search.
type Search struct {
	searching
	bits int // of each parent in the result
}

// searching is the state of one rank's searches of either kernel.
type searching struct {
	Allocated
	c     *C.g500_searching
	graph *Graph
	name  string // of a search, in errors
	where func(*C.g500_stall) string
	wait  time.Duration // time limit for other ranks

	// Of searches that the host drives:
	exchanges Exchanges // nil if it drives none
	wanted    C.g500_wanted
}

// formats has the values of --exchange, the format of visited vertices in messages between ranks, which determines the
// direction of levels: chosen for each level, words of bitmaps only, or binned pairs only.
var formats = map[string]C.int{
	"auto": C.G500_EXCHANGE_AUTO, "bitmap": C.G500_EXCHANGE_BITMAP, "bins": C.G500_EXCHANGE_BINS,
}

// SearchOptions configures a Search.
type SearchOptions struct {
	Sharers  int    // number of ranks that search on this device at the same time
	Bits     int    // of each parent in the result: 32 or 64
	Exchange string // a value of --exchange
	Policy   policy.Policy
}

// NewSearch prepares searches of a graph, which must outlive it. Before the first search the words of FirstNeighbours
// must be replaced by labels, and the search must be connected.
func (g *Graph) NewSearch(o SearchOptions) (s *Search, err error) {
	d := g.device
	options := C.g500_search_options{
		sharers: C.uint32_t(o.Sharers), result_bits: C.uint32_t(o.Bits),
		exchange: formats[o.Exchange], policy: searchPolicy(d.prelaunching(o.Policy)),
	}
	s = &Search{searching{graph: g, name: "a search", where: inLevel, wait: o.Policy.Wait()}, o.Bits}
	s.Allocated, err = d.Allocate("search", func() error {
		return check("preparing searches", C.g500_search_create(g.c, &options, &s.c, d.onStream()))
	}, func() { C.g500_searching_free(s.c) })
	if err != nil {
		return nil, err
	}
	return s, d.Synchronize()
}

// FirstNeighbours returns the ids of the first neighbours of non-isolated vertices, NoVertex if all neighbours of a
// vertex are leaves.
func (s *Search) FirstNeighbours() IDs {
	return s.device.ids(C.g500_search_first_neighbours(s.c), s.graph.NonIsolated())
}

// Degrees returns the number of this rank's vertices in each degree class, and of their edges.
func (s *Search) Degrees() (vertices, edges []int64, err error) {
	vertices, edges = make([]int64, C.G500_DEGREE_CLASSES), make([]int64, C.G500_DEGREE_CLASSES)
	ofVertices, ofEdges := (*C.uint64_t)(unsafe.Pointer(&vertices[0])), (*C.uint64_t)(unsafe.Pointer(&edges[0]))
	return vertices, edges, check("counting degrees",
		C.g500_search_degrees(s.c, ofVertices, ofEdges, s.device.onStream()))
}

// Run searches from a label, and returns when this rank's part of the search has ended. All ranks call it. The kernels
// of peers exchange; otherwise the host starts each level or kernel, and exchanges between them.
func (s *searching) Run(root uint64) error {
	if s.exchanges != nil {
		code := C.g500_searching_begin(s.c, C.uint64_t(root), &s.wanted, s.device.onStream())
		if err := s.check("starting ", code); err != nil {
			return err
		}
		if err := s.device.drive(s, s.graph.Ranks(), &s.wanted, searchDone, s.exchanges); err != nil {
			return err
		}
	} else if err := s.check("starting ", C.g500_searching_run(s.c, C.uint64_t(root), s.device.onStream())); err != nil {
		return err
	}
	return s.ended(C.g500_searching_await(s.c, s.device.onStream()))
}

// ended returns the error for the code with which a search has ended.
func (s *searching) ended(code C.int) error {
	if code == C.G500_GIVEN_UP {
		stall := C.g500_searching_stall(s.c)
		return stallError(stall, s.where(stall), s.wait)
	}
	return s.check("waiting for ", code)
}

// check is the function check for a call that does something to a search. Without an error it allocates no memory.
func (s *searching) check(doing string, code C.int) error {
	if code == 0 {
		return nil
	}
	return failure(doing+s.name, int(code))
}

// End makes the current search, or the next one, return ErrEnded on all ranks. Any goroutine may call it before Free.
func (s *searching) End() { C.g500_searching_end(s.c) }

// Prelaunch launches the kernel of the next search, which waits for its root for at most a minute. Other work on the
// device waits until this search has run or CancelPrelaunch ends it.
func (s *searching) Prelaunch() error {
	return s.check("launching ", C.g500_searching_prelaunch(s.c, s.device.onStream()))
}

// CancelPrelaunch ends a pre-launched search, if there is one.
func (s *searching) CancelPrelaunch() error {
	return check("cancelling a pre-launched search", C.g500_searching_cancel_prelaunch(s.c))
}

// Deferred returns the ids of parents whose labels this rank must query, n at a time, 0 at the end. The caller replaces
// the words by labels.
func (s *Search) Deferred() (ids IDs, n int64, err error) {
	var count C.uint32_t
	err = check("looking for deferred labels", C.g500_search_deferred(s.c, &count, s.device.onStream()))
	return s.device.ids(C.g500_search_deferred_ids(s.c), int64(count)), int64(count), err
}

// StoreDeferred stores the labels of the last n ids of Deferred.
func (s *Search) StoreDeferred(n int64) error {
	return check("storing deferred labels",
		C.g500_search_store_deferred(s.c, C.uint32_t(n), s.device.onStream()))
}

// WriteResult writes the tree of a search from root by original label, after all of StoreDeferred.
func (s *Search) WriteResult(root uint64) error {
	code := C.g500_search_write_result(s.c, C.uint64_t(root), s.device.onStream())
	if err := check("writing the tree", code); err != nil {
		return err
	}
	return s.device.Synchronize()
}

// Parents returns this rank's part of the last tree: the labels of the parents of owned labels, or -1, with
// SearchOptions.Bits each.
func (s *Search) Parents() Memory {
	return s.device.At(unsafe.Pointer(C.g500_search_parents(s.c)), int64(s.bits)/8*s.graph.Owned())
}

// Ranks has the properties of all ranks that a rank needs in a search. Slices are indexed by rank, including this rank.
// Two ranks are peers if each accesses the other's device memory. Other ranks are remote.
type Ranks struct {
	NonLeaves, Edges int64    // vertices and edges of the non-leaf subgraph
	MostNonLeaves    int64    // largest number of these vertices on any rank
	Known            int64    // local ids of each rank whose labels are in Labels
	Labels           Memory   // words of the labels of the first Known local ids of each rank
	Windows          []Memory // memory for writes of peers; empty for remote ranks
	Rows, Cols       []Memory // arrays of the graph; nil unless all ranks are peers
	LocalIDs         []Memory // likewise
	Packed           []Memory // likewise, in place of Cols if rows are packed: Graph.PackedRows
	Moves            []uint64 // of Chunks arrays with packed rows of each rank: this device's address minus the owner's
	Chunks           int      // the largest number of these arrays on a rank
	Degrees          []uint32 // mean degree of each degree class, in sixteenths
	Deferred         int64    // labels to query at a time after a search; 0 if none are deferred

	// If some two ranks are remote, or ids have 64 bits: then searches run level by level. Else nil.
	Exchanges Exchanges
}

// WindowBytes returns the size of the window into which peers write; byLevels reports whether Ranks has Exchanges. It
// is called before Connect.
func (s *Search) WindowBytes(byLevels bool) int64 {
	return int64(C.g500_search_window_bytes(s.c, yes(byLevels)))
}

// Connect allocates the state, and clears this rank's window. All ranks must be connected before one searches.
func (s *Search) Connect(r Ranks) error {
	var held runtime.Pinner
	defer held.Unpin()
	ranks := C.g500_ranks{
		non_leaf: C.uint64_t(r.NonLeaves), edges: C.uint64_t(r.Edges), most_non_leaf: C.uint32_t(r.MostNonLeaves),
		known: C.uint32_t(r.Known), d_labels: pointer[C.uint32_t](r.Labels.address),
		windows: addresses(r.Windows, &held), rows: addresses(r.Rows, &held), cols: addresses(r.Cols, &held),
		local_ids: addresses(r.LocalIDs, &held), packed: addresses(r.Packed, &held),
		moves: pinned[C.uint64_t](r.Moves, &held), chunks: C.uint32_t(r.Chunks),
		degrees: pinned[C.uint32_t](r.Degrees, &held), far: yes(r.Exchanges != nil), deferred: C.uint32_t(r.Deferred),
		most_reported: math.MaxUint32, most_parts: policy.MostParts,
	}
	s.exchanges = r.Exchanges
	code := C.g500_search_connect(s.c, &ranks, s.device.onStream())
	return s.device.Explain(check("connecting searches", code))
}

// yes converts a bool for C.
func yes(is bool) C.int {
	if is {
		return 1
	}
	return 0
}

// pinned returns a list for C functions, until held is unpinned; nil without elements.
func pinned[To, From any](list []From, held *runtime.Pinner) *To {
	if len(list) == 0 {
		return nil
	}
	held.Pin(&list[0])
	return (*To)(unsafe.Pointer(&list[0]))
}

// addresses returns a list of addresses as pinned does.
func addresses(memory []Memory, held *runtime.Pinner) *unsafe.Pointer {
	return pinned[unsafe.Pointer](lists.Of(memory, func(m Memory) cu.DevicePtr { return m.address }), held)
}

// stepOf returns the name and the variant of the step with this number (cuda/search/step.h).
func stepOf(number C.uint32_t) trace.Step {
	if number == C.G500_WRITE_RESULT {
		return trace.Step{Name: trace.ResultOrderStep}
	}
	variant := C.GoString(C.g500_step_name(number))
	if C.g500_step_direction(number) == C.G500_BOTTOM_UP {
		return trace.Step{Name: trace.BottomUpStep, Variant: variant}
	}
	return trace.Step{Name: trace.TopDownStep, Variant: variant}
}

// mostLevels bounds the levels of a trace.
const mostLevels = 1024

// Trace returns the steps of the last search, at most the first mostLevels.
func (s *Search) Trace() ([]trace.Step, error) {
	levels := make([]C.g500_level, mostLevels)
	var n C.int
	code := C.g500_search_trace(s.c, &levels[0], mostLevels, &n, s.device.onStream())
	if err := check("reading the trace", code); err != nil {
		return nil, err
	}
	all, by := make([]trace.Step, n), trace.PeerTransport
	if s.exchanges != nil {
		by = s.exchanges.Transport()
	}
	for i, l := range levels[:n] {
		step := stepOf(l.step)
		step.Frontier, step.Edges = int64(l.frontier), int64(l.edges)
		step.Nanoseconds, step.Exchange, step.Wait = int64(l.nanoseconds), int64(l.exchange), int64(l.wait)
		step.Compute = step.Nanoseconds - step.Exchange - step.Wait
		step.Traffic = trafficOf(l, by)
		all[i] = step
	}
	return all, nil
}

// trafficOf lists what a rank sent and received in a level, to and from other ranks by a transport.
func trafficOf(l C.g500_level, by string) (all []trace.Traffic) {
	const pairBytes = 8
	for _, moved := range []struct {
		payload string
		counted C.g500_traffic
		bytes   int64 // of each that is counted
	}{
		{trace.BitmapPayload, l.words, wordBytes},
		{trace.BinsPayload, l.pairs, pairBytes},
		{trace.RowsPayload, l.edges_read, wordBytes},
	} {
		sent, received := int64(moved.counted.sent), int64(moved.counted.received)
		if sent+received > 0 {
			all = append(all, trace.Traffic{
				Payload: moved.payload, Transport: by, Sent: moved.bytes * sent,
				Received: moved.bytes * received,
			})
		}
	}
	return all
}
