// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/prefetch"
	"g500/partition"
)

// Builder is the state of kernel 1 after its first half: vertices have ids, and rows are not filled.
type Builder struct {
	t          comm.Transport
	workers    int
	grid       grid
	full, free buffer // memory of the ends, and for the next ones
	weighted   bool
	spare      []buffer          // of each worker, to sort blocks
	narrow     *byVertex[uint32] // the ends of tuples, with 32-bit labels
	wide       *byVertex[uint64] // or with others, or with weights
	order      Order
	degrees    []uint32 // in label order
	opposite   *Builder // makes the rows of targets of a directed graph, this one the rows of sources; else nil
	progress   *progress
}

// Start is the first half of kernel 1: Discover, then Number. It is collective.
func Start(t comm.Transport, in graph.HostTuples, workers int) (*Builder, error) {
	layout, err := Discover(t, in.Edges, workers)
	if err != nil {
		return nil, err
	}
	return Number(t, layout, in, workers)
}

// Number deals the ends of the tuples to the owners of their vertices, and gives vertices their ids by degree. The
// distribution of the tuples over the ranks is arbitrary; they have weights on all ranks or on none. The labels of
// tuples with weights are below 2^32. If the graph is directed, tuples are arcs, the degree of a vertex is the number
// of arcs that leave or enter it, and leaves are joined (JoinLeaves). Each rank uses workers goroutines. Number is
// collective.
func Number(t comm.Transport, layout partition.Cyclic, in graph.HostTuples, workers int) (*Builder, error) {
	b := &Builder{t: t, workers: workers, progress: newProgress(t, in.Arcs)}
	counts := []int64{in.Len(), int64(len(in.Weights))}
	if err := t.AllReduce(counts, comm.Sum); err != nil {
		return nil, err
	}
	ends := 2 * counts[0]
	if in.Arcs {
		ends = counts[0]
	}
	b.grid, b.weighted = newGrid(layout, ends), counts[1] == counts[0] // also if there are no tuples
	b.order = Order{Layout: layout, Rank: t.Rank()}
	var err error
	if in.Arcs {
		err = b.numberArcs(in)
	} else {
		err = b.count(in, bothEnds)
	}
	if err != nil {
		return nil, fmt.Errorf("kernel 1: counting degrees: %w", err)
	}
	if err := b.number(); err != nil {
		return nil, fmt.Errorf("kernel 1: numbering vertices: %w", err)
	}
	return b, nil
}

// side selects the ends of tuples that a Builder deals.
type side int

const (
	bothEnds side = iota
	oneEnd        // at the vertex that an arc leaves
	otherEnd      // at the vertex that it enters
)

// count deals ends of the tuples, and counts the ends of each vertex.
func (b *Builder) count(in graph.HostTuples, at side) (err error) {
	if b.weighted || wideLabels(b.order.Layout.Vertices()) {
		b.wide, err = start(b, sourceOf[uint64](b.grid, in, at))
	} else {
		b.narrow, err = start(b, sourceOf[uint32](b.grid, in, at))
	}
	return err
}

// sourceOf returns the source of ends of tuples.
func sourceOf[E entry](g grid, in graph.HostTuples, at side) source[E] {
	all := tuples[E]{g, in.Edges, in.Weights}
	if at == bothEnds {
		return all
	}
	return arcs[E]{all, at == otherEnd}
}

// wideLabels reports whether labels need more than 32 bits.
func wideLabels(vertices graph.Global) bool { return vertices > 1<<32 }

// JoinLeaves treats leaves like other vertices: their positions and rows have no special rules.
func (b *Builder) JoinLeaves() {
	o := &b.order
	all := o.Inner + o.tail
	o.Inner, o.Stride, o.tail = all, strideOf(all), 0
}

// Opposite returns the Builder of the rows of targets, with the same order of vertices, if the graph is directed, and
// nil otherwise. b then makes the rows of sources. It is called after JoinLeaves.
func (b *Builder) Opposite() *Builder {
	if b.opposite != nil {
		b.opposite.order = b.order
	}
	return b.opposite
}

// Order returns the order of the vertices.
func (b *Builder) Order() Order { return b.order }

// MeanEnds returns the number of tuple ends at the vertices of a rank, on average.
func (b *Builder) MeanEnds() int64 { return b.grid.ends }

// IDs64 reports whether the graph's positions need more than 32 bits. It is the same on all ranks.
func (b *Builder) IDs64() bool { return b.order.IDs64() }

// Approximate shares of the time of kernel 1.
const (
	dealParts     = 25 // twice
	degreesParts  = 5
	sortParts     = 35
	collectParts  = 10
	allParts      = 100 // without exchanges
	exchangeParts = 10  // of rows or of entries, twice, on several ranks
)

// progress is the number of parts of kernel 1 that are done, and of all.
type progress struct{ done, all int64 }

func newProgress(t comm.Transport, directed bool) *progress {
	all := int64(allParts)
	if t.Size() > 1 {
		all += 4 * exchangeParts
	}
	if directed { // two sets of rows
		all *= 2
	}
	return &progress{all: all}
}

// advance reports that a part of kernel 1 is done. It is collective, and a place where all ranks can abandon it.
func (b *Builder) advance(parts int64) error {
	b.progress.done += parts
	comm.Advance(b.t, b.progress.done, b.progress.all)
	_, err := comm.Reduce(b.t, 0, comm.Sum)
	return err
}

// Discover returns the layout of the graph over the ranks. The number of vertices is the highest label of all tuples
// plus one. It is collective.
func Discover(t comm.Transport, edges []graph.Edge, workers int) (partition.Cyclic, error) {
	highest := make([]int64, workers)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(len(edges), w, workers)
		top := graph.NoParent
		for _, part := range prefetch.Parts(edges[lo:hi]) {
			some := graph.NoParent
			for _, e := range part {
				some = max(some, e.U(), e.V())
			}
			top = max(top, some)
		}
		highest[w] = int64(top)
	})
	top, err := comm.Reduce(t, slices.Max(highest), comm.Max)
	if err != nil {
		return partition.Cyclic{}, err
	}
	n := graph.Global(top + 1)
	if n > graph.Global(t.Size())*graph.MaxLocals {
		return partition.Cyclic{}, fmt.Errorf("kernel 1: label %d needs at least %d ranks: "+
			"one rank owns at most 2^32-1 vertices", n-1, (n+graph.MaxLocals-1)/graph.MaxLocals)
	}
	return partition.NewCyclic(n, t.Size()), nil
}

// number gives non-isolated owned vertices their ids, and sets the first id of leaves and the stride, which are the
// same on all ranks.
func (b *Builder) number() error {
	o, degrees := &b.order, b.allDegrees()
	o.IDOf, o.LocalOf = degreeOrder(degrees, b.workers)
	leaves := sort.Search(len(o.LocalOf), func(h int) bool { return degrees[o.LocalOf[h]] < 2 })
	highest := []int64{int64(leaves), int64(len(o.LocalOf))}
	if err := b.t.AllReduce(highest, comm.Max); err != nil {
		return err
	}
	inner, ids := int(highest[0]), int(highest[1])
	o.Inner, o.Stride, o.tail = inner, strideOf(inner)+gaps.Inner, ids-inner+gaps.Leaves
	if b.opposite != nil {
		b.JoinLeaves()
	}
	return nil
}

// allDegrees returns the degrees in label order: in a directed graph, the arcs that leave or enter a vertex, at most
// 2^32-1.
func (b *Builder) allDegrees() []uint32 {
	if b.opposite == nil {
		return b.degrees
	}
	all := hugepage.Make[uint32](len(b.degrees))
	par.For(b.workers, len(all), vertexGrain, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			all[l] = uint32(min(uint64(b.degrees[l])+uint64(b.opposite.degrees[l]), math.MaxUint32))
		}
	})
	return all
}

// strideOf returns the stride if the rank with the most non-leaf vertices has that many.
func strideOf(inner int) int { return max((inner+WordBits-1)/WordBits, 1) * WordBits }

// PosBytes returns the size of a position, 8 bytes for 64-bit ids.
func PosBytes(ids64 bool) int64 {
	if ids64 {
		return posBytes[Pos64]()
	}
	return posBytes[Pos32]()
}

// Ghosts returns an upper estimate of the number of a rank's ghosts, and of the bytes that they and their search take.
// In official graphs from scale 32 on, on up to 1,024 nodes, less than half of the edges lead to vertices that are not
// replicated, and many of these edges to the same vertices.
func Ghosts(s graph.Share) (number, bytes int64) {
	number = min(s.Ends/2, s.Positions)
	marks := min(s.Positions/8, int64(marksLimit(int(PosBytes(s.IDs64)*s.Ends))))
	return number, 4*number + 8*(s.Ends/bucketEnds+int64(s.Ranks)) + marks
}

// Memory returns upper estimates, in bytes, of the structure of Start and Finish, and of the memory that they free,
// without the tuples. See the package documentation for the parts.
func Memory(s graph.Share) (structure, building int64) {
	pos := PosBytes(s.IDs64)
	structure, building = FillMemory(s, pos)
	if labels := graph.Global(s.Vertices) * graph.Global(s.Ranks); s.IDs64 && !wideLabels(labels) {
		building += pos * max(s.Ends, 2*s.Tuples) // entries do not fit into the memory of labels
	}
	if s.Ranks == 1 {
		building -= hugepage.Bytes(rowBytes * max(s.Ends, 2*s.Tuples)) // ends arrive sorted, in memory without rows
	}
	first, second := hugepage.Bytes(pos*s.Vertices), hugepage.Bytes(pos*s.Vertices) // neighbours
	labels := hugepage.Bytes(firstLabelBytes(s.Vertices*int64(s.Ranks)) * s.Vertices)
	known := int64(0) // labels of other ranks' vertices
	if s.Ranks > 1 {
		known = 4 * min(int64(sharedLabels), knownPerVertex*s.Vertices)
	}
	return structure + first + second + labels + known, building
}

const rowBytes = rowBits / 8 // of an end

// FillMemory is Memory for Number and Fill with entries of entryBytes.
func FillMemory(s graph.Share, entryBytes int64) (structure, building int64) {
	const (
		startBytes = 8 // of a row
		localBytes = 4 // id; local id; during kernel 1 the degree, and the bound of entries by vertex
	)
	labels := graph.Global(s.Vertices) * graph.Global(s.Ranks)
	if wideLabels(labels) {
		entryBytes = 8 // labels are entries, too, and rows use their memory
	}
	ends := max(s.Ends, 2*s.Tuples)
	sorters := (rowBytes + entryBytes) * min(ends, int64(sorterEnds))
	grid := newGrid(partition.NewCyclic(labels, s.Ranks), ends*int64(s.Ranks))
	bins := dealerBytes * int64(grid.dealers(maxDealers)) * int64(grid.blocks())
	entries, locals := hugepage.Bytes(entryBytes*ends), 2*hugepage.Bytes(localBytes*s.Vertices)
	return entries + hugepage.Bytes(startBytes*s.Vertices) + locals,
		entries + 2*hugepage.Bytes(rowBytes*ends) + locals + sorters + bins
}
