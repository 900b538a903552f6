package bfs

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/hugepage"
	"g500/internal/trace"
	"g500/partition"
)

// Hybrid is the fast CPU engine: direction-optimizing search (Beamer et al., SC 2012) on the degree-ordered
// structure of graph/csr.
//
// Only the core is searched: a leaf leads nowhere, and gets its parent in the relabelling. Vertices, edges and
// frontiers are counted over the core.
//
// Every rank keeps a visited bitmap over the core vertices of all ranks, or as many of them as it may have to look up
// (csr/index.go). In a bottom-up level the ranks sweep their own part of it and all-gather the parts; in a top-down
// level they send each other (vertex, parent) pairs whose bits are not yet in their copy of the bitmap. A copy may lack
// vertices that other ranks visited top-down; it never holds one that is not visited. It is made whole before the first
// bottom-up level, and at the end for leaves.
//
// In a bottom-up level "visited" and "in the frontier" are the same test for a neighbour of an unvisited
// vertex, so the bitmap of the level before serves as the frontier.
type Hybrid[P csr.Pos] struct {
	t       comm.Transport
	g       *csr.Graph[P]
	workers int

	vertices, edges, leaves int64 // of all ranks: core vertices, directed edges among them, leaves
	mostEdges               int64 // of the rank that has most

	visited bitmap // newest; with a bit for Graph.None, which is never set
	before  bitmap // as it was before the last bottom-up level
	first   bitmap // own part: the parent is the first neighbour
	parent  []P    // by id: the parent, where it is not the first neighbour

	queue   []csr.ID  // the frontier, top-down only
	offsets []int64   // of the queue: edges that leave the vertices before it
	lanes   []lane    // results of each worker in a level
	bins    [][]byte  // merged bins of all workers, by rank or host
	to      []address // of the level's pairs, by rank: one of the two below
	byRank  []address
	byHost  []address // nil where that would save no messages
	whole   *gatherer[P]
	labels  *csr.Labels[P]
	queried []P // parents whose labels are queried; ghosts whose bits are queried

	queries  *queries[P] // of a bottom-up level; nil if all bits are replicated
	ofLeaves *queries[P] // about the neighbours of leaves
	tree     []graph.Global

	ended func(trace.Step) error // called at the end of each step
}

// NewHybrid returns kernel 1 of the hybrid engine with that many worker goroutines on each rank. Positions are as wide
// as the graph needs (ADR 26).
func NewHybrid(workers int) New {
	return func(t comm.Transport, tuples graph.Tuples) (Engine, error) {
		b, err := start(t, tuples, workers)
		if err != nil {
			return nil, err
		}
		if b.Wide() {
			return newHybrid[csr.Pos64](t, b, workers)
		}
		return newHybrid[csr.Pos32](t, b, workers)
	}
}

// NewHybridOf is NewHybrid with positions of one width, whatever the graph needs. A graph that needs more is refused.
func NewHybridOf[P csr.Pos](workers int) New {
	return func(t comm.Transport, tuples graph.Tuples) (Engine, error) {
		b, err := start(t, tuples, workers)
		if err != nil {
			return nil, err
		}
		return newHybrid[P](t, b, workers)
	}
}

// start is the half of kernel 1 that comes before the width of positions is known.
func start(t comm.Transport, tuples graph.Tuples, workers int) (*csr.Builder, error) {
	edges, err := tuples.Host()
	if err != nil {
		return nil, err
	}
	return csr.Start(t, edges, workers)
}

func newHybrid[P csr.Pos](t comm.Transport, b *csr.Builder, workers int) (Engine, error) {
	tiers := comm.NewTwoLevel(t)
	replicated := b.Stride()
	if bounds.UseQueries(replicated, tiers) {
		replicated = bounds.ReplicatedIDs(replicated, tiers.Nodes())
	}
	g, err := csr.Finish[P](b, replicated)
	if err != nil {
		return nil, err
	}
	core := g.OwnCore()
	totals := []int64{int64(core), g.Rows[core], int64(g.Connected() - core)}
	if err := t.AllReduce(totals, comm.Sum); err != nil {
		return nil, err
	}
	mostEdges, err := comm.Reduce(t, g.Rows[core], comm.Max)
	if err != nil {
		return nil, err
	}
	words := int(g.None())/csr.WordBits + 1
	h := &Hybrid[P]{
		t: t, g: g, workers: workers,
		vertices: totals[0], edges: totals[1], leaves: totals[2], mostEdges: mostEdges,
		visited: make(bitmap, words),
		before:  make(bitmap, words),
		first:   make(bitmap, g.Stride/csr.WordBits),
		parent:  hugepage.Make[P](g.OwnCore()),
		lanes:   make([]lane, workers),
		bins:    make([][]byte, t.Size()),
		whole:   newGatherer(t, g, tiers, workers),
		labels:  csr.NewLabels(g, t),
		tree:    hugepage.Make[graph.Global](len(g.IDOf)),
		ended:   func(trace.Step) error { return nil },
	}
	h.byRank = ofRanks(t.Size())
	if narrow := uint64(h.g.Stride)*uint64(t.Size()) < 1<<32; h.whole.tiers.Save() && narrow {
		h.byHost = ofHosts(t.Nodes())
	}
	for w := range h.lanes {
		h.lanes[w].bins = newBins(t.Size())
	}
	return h, h.queryForLeaves()
}

// Layout says which rank owns which vertex.
func (h *Hybrid[P]) Layout() partition.Layout { return h.g.Layout }

// HasEdge reports whether an owned vertex has a row.
func (h *Hybrid[P]) HasEdge(l graph.Local) bool { return h.g.IDOf[l] != csr.NoID }

// OnStep has ended called at the end of each step.
func (h *Hybrid[P]) OnStep(ended func(trace.Step) error) { h.ended = ended }

// Close lets go of the structure.
func (h *Hybrid[P]) Close() error {
	*h = Hybrid[P]{}
	return nil
}

// Search searches from root. It ends: each level but the last visits a vertex that was not visited before.
func (h *Hybrid[P]) Search(root graph.Global) (Tree, error) {
	if err := partition.CheckRoot(h.g.Layout, root); err != nil {
		return nil, err
	}
	at := h.start(root)
	now := topDown
	for at.frontier > 0 {
		next := at.next(now)
		if err := h.turn(now, next); err != nil {
			return nil, err
		}
		now = next
		from := at
		var err error
		if now == topDown {
			at, err = h.push(at)
		} else {
			at, err = h.pull(at)
		}
		if err != nil {
			return nil, err
		}
		level := trace.Step{Name: now.step(), Frontier: from.frontier, Edges: from.unexplored - at.unexplored}
		if err := h.ended(level); err != nil {
			return nil, err
		}
	}
	if err := h.updateLeaves(now); err != nil {
		return nil, err
	}
	if err := h.relabel(root); err != nil {
		return nil, err
	}
	return HostTree(h.tree), h.ended(trace.Step{Name: trace.ResultOrderStep})
}

// start clears the state and puts the root into the frontier. A leaf has no bit, but a row by which the search goes on;
// one whose neighbour is a leaf too leads nowhere, like a root without an edge.
func (h *Hybrid[P]) start(root graph.Global) progress {
	clear(h.visited)
	clear(h.first)
	h.whole.start()
	h.queue = h.queue[:0]
	// Rank-local knowledge of the root suffices: it makes the frontier 1 everywhere.
	at := progress{vertices: h.vertices, unexplored: h.edges, frontier: 1}
	if h.g.Layout.Owner(root) == h.g.Rank {
		id := h.g.IDOf[h.g.Layout.Local(root)]
		switch {
		case id == csr.NoID:
		case int(id) < h.g.Core:
			h.visited.set(uint64(h.g.Index(id)))
			h.parent[id] = h.g.Index(id)
			h.queue = append(h.queue, id)
		case h.g.First[id] != h.g.None():
			h.queue = append(h.queue, id)
		}
	}
	return at
}

// gather makes the visited bitmap whole on all ranks.
func (h *Hybrid[P]) gather() error { return h.whole.gather(h.visited) }

// own is this rank's part of a bitmap over the core.
func (h *Hybrid[P]) own(b bitmap) bitmap { return h.whole.part(b, h.g.Rank) }
