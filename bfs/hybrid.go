// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"errors"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/trace"
	"g500/partition"
)

// Hybrid is the fast CPU engine: direction-optimizing search (Beamer et al., SC 2012) on the degree-ordered structure
// of graph/csr.
//
// It searches only the non-leaf subgraph: leaves lead nowhere, and get their parents when the result is written.
// Vertices, edges and frontiers are counted in this subgraph.
//
// Every rank has a visited bitmap over the non-leaf vertices of all ranks, or over those that its rows contain
// (csr/index.go). In a bottom-up level the ranks sweep their own parts of the bitmap and all-gather them; in a top-down
// level they exchange (vertex, parent) pairs for vertices whose bits are unset in their copy. A copy may lack vertices
// that other ranks visited in top-down levels. The copies are synchronized before the first bottom-up level, and at the
// end for leaves. Ranks on one node share the bitmap (shared.go): a rank claims vertices of others itself, and only it
// sends them.
//
// In a bottom-up level, a neighbour of an unvisited vertex is in the frontier if it is visited, so the bitmap of the
// previous level is the frontier.
//
// In a directed graph, top-down levels use rows of targets, and bottom-up levels and the result rows of sources. All
// non-isolated vertices are in the non-leaf subgraph, and only arcs that leave a vertex count as its edges.
type Hybrid[P csr.Pos] struct {
	t       comm.Transport
	g       *csr.Graph[P]
	workers int

	vertices, edges, leaves int64 // of all ranks: non-leaf vertices, directed edges among them, leaves
	mostEdges               int64 // of the rank with the most

	visited bitmap // newest; with a bit for Graph.None, which is never set
	before  bitmap // before the last bottom-up level
	first   bitmap // own part: the parent is the first neighbour
	shared  bool   // visited and before of all ranks are in the same memory
	kept    uint64 // bits of words of first that are from this search: none before its first bottom-up level, then all
	parent  []P    // by id: the parent, unless it is the first neighbour

	longRows int // number of first ids after which all rows have at most two neighbours, all of them replicated

	queue    []csr.ID  // the frontier, if its edges are examined
	offsets  []int64   // edges that leave the vertices before each piece of the queue, and all
	lanes    []lane[P] // results of each worker in a level
	bins     [][]byte  // merged bins of all workers, by rank or node
	to       []address // of the level's pairs, by rank: byRank or byNode
	byRank   []address
	byNode   []address // nil if that saves no messages
	gatherer *gatherer[P]
	labels   *csr.Labels[P]
	queried  []P // ghosts whose bits are queried

	queries  *queries[P] // in a bottom-up level; nil if all bits are replicated
	ofLeaves *queries[P] // about the neighbours of leaves
	tree     []graph.Global

	ended func(trace.Step) error // called at the end of each step
	unmap func() error           // unmaps shared bitmaps
}

// New is kernel 1 of an engine: it builds a searchable structure from edge tuples, whose distribution over the ranks is
// arbitrary. It is collective and timed. It may read the tuples until it returns, and must not change them.
type New func(t comm.Transport, tuples graph.Tuples) (engine.Engine, error)

// NewHybrid returns kernel 1 of the hybrid engine with workers goroutines per rank. Positions have 32 bits if that
// suffices for the graph, else 64 (ADR 26).
func NewHybrid(workers int) New { return hybrid(workers, (*csr.Builder).IDs64) }

// hybrid returns kernel 1 with positions of the width that wide chooses after vertices are numbered.
func hybrid(workers int, wide func(*csr.Builder) bool) New {
	return func(t comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
		host, err := tuples.Host(false)
		if err != nil {
			return nil, err
		}
		b, err := csr.Start(t, host, workers)
		if err != nil {
			return nil, err
		}
		if wide(b) {
			return newHybrid[csr.Pos64](t, b, workers)
		}
		return newHybrid[csr.Pos32](t, b, workers)
	}
}

func newHybrid[P csr.Pos](t comm.Transport, b *csr.Builder, workers int) (engine.Engine, error) {
	twoLevel := comm.NewTwoLevel(t)
	replicated := b.Order().Stride
	if bounds.UseQueries(replicated, twoLevel) {
		replicated = bounds.ReplicatedIDs(replicated, twoLevel.Nodes())
	}
	g, err := csr.Finish[P](b, replicated)
	if err != nil {
		return nil, err
	}
	inner := g.OwnInner()
	edges := g.Out.Rows[inner]
	totals := []int64{int64(inner), edges, int64(g.Connected() - inner)}
	if err := t.AllReduce(totals, comm.Sum); err != nil {
		return nil, err
	}
	mostEdges, err := comm.Reduce(t, edges, comm.Max)
	if err != nil {
		return nil, err
	}
	h := &Hybrid[P]{
		t: t, g: g, workers: workers,
		vertices: totals[0], edges: totals[1], leaves: totals[2], mostEdges: mostEdges,
		first:    make(bitmap, g.Stride/csr.WordBits),
		parent:   hugepage.MakeFull[P](workers, inner),
		queue:    hugepage.MakeFull[csr.ID](workers, inner)[:0],
		lanes:    make([]lane[P], workers),
		bins:     make([][]byte, t.Size()),
		gatherer: newGatherer(t, g, twoLevel, workers),
		labels:   csr.NewLabels(g, t, workers),
		tree:     hugepage.MakeFull[graph.Global](workers, len(g.IDOf)),
		ended:    func(trace.Step) error { return nil },
	}
	if err := h.makeBitmaps(); err != nil {
		return nil, err
	}
	ranks := make([]int, t.Size())
	for r := range ranks {
		ranks[r] = r
	}
	h.byRank = addressesOf(ranks)
	if small := uint64(h.g.Stride)*uint64(t.Size()) < 1<<32; h.gatherer.twoLevel.Save() && small {
		h.byNode = addressesOf(t.Nodes())
	}
	h.longRows = inner
	for h.gatherer.replicatesAll() && h.longRows > 0 && g.Degree(csr.ID(h.longRows-1)) <= 2 {
		h.longRows--
	}
	next := hugepage.MakeFull[csr.ID](workers, inner)
	for w := range h.lanes {
		h.lanes[w].bins = newBins(t.Size())
		lo, hi := par.Share(inner, w, workers) // more than a share of a level is appended elsewhere
		h.lanes[w].next = next[lo:lo:hi]
	}
	if err := h.queryForLeaves(); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Layout returns the distribution of the vertices over the ranks.
func (h *Hybrid[P]) Layout() partition.Layout { return h.g.Layout }

// Simple implements engine.Counter.
func (h *Hybrid[P]) Simple() (vertices, ends int64, err error) {
	vertices, ends = h.g.Simple()
	return vertices, ends, nil
}

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (h *Hybrid[P]) HasEdge(l graph.Local) bool {
	id := h.g.IDOf[l]
	return id != csr.NoID && (!h.g.Directed() || h.g.Out.Degree(id) > 0)
}

// OnStep sets a function that is called at the end of each step.
func (h *Hybrid[P]) OnStep(ended func(trace.Step) error) { h.ended = ended }

// Prelaunch wakes the workers.
func (h *Hybrid[P]) Prelaunch() error {
	par.Wake(h.workers)
	return nil
}

// Close releases the structure.
func (h *Hybrid[P]) Close() error {
	unmap := h.unmap
	*h = Hybrid[P]{}
	if unmap == nil {
		return nil
	}
	return unmap()
}

// Search searches from root. It terminates, because each level except the last visits a new vertex.
func (h *Hybrid[P]) Search(root graph.Global) (engine.Result, error) {
	if h.t.Size() > 1 {
		defer par.Hold(h.workers)()
	}
	at, err := h.start(root)
	if err != nil {
		return nil, err
	}
	reached := int64(0)
	now := topDown
	for at.frontier > 0 {
		reached += at.frontier
		next := at.next(now)
		if err := h.turn(now, next); err != nil {
			return nil, err
		}
		now = next
		from := at
		if now == topDown {
			at, err = h.push(at)
		} else {
			at, err = h.pull(at)
		}
		if err == nil && now == bottomUp && h.g.Directed() {
			at.edges, err = h.countArcs()
		}
		if err != nil {
			return nil, err
		}
		level := trace.Step{Name: string(now), Frontier: from.frontier, Edges: from.unexplored - at.unexplored}
		if err := h.ended(level); err != nil {
			return nil, err
		}
	}
	if err := h.updateLeaves(now); err != nil {
		return nil, err
	}
	if err := h.writeResult(root, reached); err != nil {
		return nil, err
	}
	return engine.HostResult{Parents: h.tree}, h.ended(trace.Step{Name: trace.ResultOrderStep})
}

// clearGrain is the number of bitmap words that a worker clears at a time. A word may take 10 ns, because other cores
// have it in their caches.
const clearGrain = 1 << 8

// start clears the state and puts the root into the frontier. A root that is a leaf has a row but no bit. If its
// neighbour is a leaf too, the frontier is empty, as for an isolated root.
func (h *Hybrid[P]) start(root graph.Global) (progress, error) {
	cleared := h.cleared()
	par.For(h.workers, len(cleared), clearGrain, func(_, lo, hi int) { clear(cleared[lo:hi]) })
	h.kept = 0
	clear(h.gatherer.sent)
	h.dropFound()
	// The frontier has size 1 on all ranks, although only the owner has the root in its queue.
	at := progress{vertices: h.vertices, unexplored: h.edges, frontier: 1, alpha: Alpha, directed: h.g.Directed()}
	if h.t.Size() > 1 {
		at.alpha = AlphaOfRanks
	}
	if h.g.Layout.Owner(root) == h.g.Rank {
		id := h.g.IDOf[h.g.Layout.Local(root)]
		switch {
		case id == csr.NoID:
		case int(id) < h.g.Inner:
			h.visited.set(uint64(h.g.Index(id)))
			h.parent[id] = h.g.Index(id)
			h.lanes[0].next = append(h.lanes[0].next, id)
		case h.g.First[id] != h.g.None():
			h.lanes[0].next = append(h.lanes[0].next, id)
		}
	}
	return at, h.meet()
}

// own returns this rank's part of a bitmap.
func (h *Hybrid[P]) own(b bitmap) bitmap { return h.gatherer.part(b, h.g.Rank) }

// MaxScale is the largest scale of official graphs that the engines support, the scale of the problem class huge. At
// scale 44, the highest degree is 2^32.
const MaxScale = 42

// HybridMemory returns upper estimates, in bytes, of the hybrid engine's memory on one rank, and of the memory that
// kernel 1 takes and frees in addition.
func HybridMemory(s graph.Share) (engine, building int64) {
	structure, building := csr.Memory(s)
	perVertex := csr.PosBytes(s.IDs64) + 8 + 8 // parent, lists of the next frontier, tree
	return structure + perVertex*s.Vertices + betweenRanks(s), building
}

// Numbers of bitmaps with all ranks' bits, and of messages with one bitmap: received and forwarded.
const (
	bitmaps       = 3
	bitmapsOfNews = 2
)

// ranksOnNode is an upper bound of the ranks of a node. Smaller jobs may replicate all bits; larger ones have several
// nodes and use queries.
const ranksOnNode = 1 << 10

// pairBytes is the size of a pair in the bins of workers, in the merged bins, and in messages sent and received.
const pairBytes = 16

// betweenRanks returns the memory for other ranks' vertices and for messages: the maximum with all bits replicated and
// with queries.
func betweenRanks(s graph.Share) int64 {
	all := s.Positions / 8
	news := bitmapsOfNews * min(all, int64(bounds.GatherBytes))
	if s.Ranks == 1 {
		return bitmaps*all + news
	}
	if s.Ranks > ranksOnNode {
		all = min(all, 2*int64(bounds.QueriesFrom)) // at least half of the ranks are on other nodes
	}
	nodes := max(2, s.Ranks/ranksOnNode)
	replicated := int64(s.Ranks) * int64(bounds.ReplicatedIDs(int(s.Positions)/s.Ranks, nodes))
	ghosts, found := csr.Ghosts(s)
	querying := found + bitmaps*(s.Vertices+replicated+ghosts)/8
	pairs := pairBytes * min(s.Ends, s.Positions, bounds.PushEdges) // a rank sends each vertex once
	return news + pairs + max(bitmaps*all, querying)
}
