package csr

import (
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
	"g500/partition"
)

// Builder is kernel 1 between its halves: vertices are numbered, and rows are to be filled.
type Builder struct {
	t       comm.Transport
	edges   []graph.Edge
	workers int
	post    *post
	paper   []uint32 // a word for each end of a piece's tuples
	order   Order
	degrees []uint32 // in label order
	ends    int64    // of tuples, that the degrees count
	done    int64    // of allParts
}

// Start is the first half of kernel 1: Discover, then Number. It is collective.
func Start(t comm.Transport, edges []graph.Edge, workers int) (*Builder, error) {
	layout, err := Discover(t, edges, workers)
	if err != nil {
		return nil, err
	}
	return Number(t, layout, edges, workers)
}

// Number reads the tuples once, in pieces, to count degrees, which give every vertex its id. The tuples are spread
// over the ranks in any way; each rank uses workers goroutines. Number is collective.
func Number(t comm.Transport, layout partition.Cyclic, edges []graph.Edge, workers int) (*Builder, error) {
	b := &Builder{t: t, edges: edges, workers: workers, post: newPost(layout, workers)}
	b.paper = make([]uint32, 2*min(pieceTuples, len(edges)))
	b.order = Order{Layout: layout, Rank: t.Rank()}
	if err := b.countDegrees(); err != nil {
		return nil, fmt.Errorf("kernel 1: counting degrees: %w", err)
	}
	if err := b.number(); err != nil {
		return nil, fmt.Errorf("kernel 1: numbering vertices: %w", err)
	}
	return b, nil
}

// JoinLeaves lets the core contain all vertices with an edge, so that positions and rows of leaves are like all others.
func (b *Builder) JoinLeaves() {
	o := &b.order
	all := o.Core + o.tail
	o.Core, o.Stride, o.tail = all, strideOf(all), 0
}

// Order is the order of the vertices.
func (b *Builder) Order() Order { return b.order }

// Stride is that of the graph's Order.
func (b *Builder) Stride() int { return b.order.Stride }

// Wide reports whether the graph's positions need more than 32 bits. It is the same on all ranks.
func (b *Builder) Wide() bool { return b.order.Wide() }

// Build is kernel 1 with positions of a given width, which all have an index on all ranks.
func Build[P Pos](t comm.Transport, edges []graph.Edge, workers int) (*Graph[P], error) {
	b, err := Start(t, edges, workers)
	if err != nil {
		return nil, err
	}
	return Finish[P](b, b.order.Stride)
}

// How the time of kernel 1 goes to its steps, roughly, in quarters. The last one is for sorting.
const (
	degreesParts = 1
	rowsParts    = 2
	allParts     = 4
)

// Discover finds the number of vertices, which is the highest label of all tuples plus one, and lays them out over the
// ranks. It is collective.
func Discover(t comm.Transport, edges []graph.Edge, workers int) (partition.Cyclic, error) {
	highest := make([]int64, workers)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(len(edges), w, workers)
		top := graph.NoParent
		for _, e := range edges[lo:hi] {
			top = max(top, e.U(), e.V())
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

// countDegrees counts, for every owned vertex in label order, the tuples that end at it, self-loops left out.
func (b *Builder) countDegrees() error {
	b.degrees = make([]uint32, b.order.Layout.Count(b.t.Rank()))
	return b.pieces(degreesParts, func(_ int, piece []graph.Edge) error {
		b.post.load(piece)
		bins := binsOf(b.post, b.paper)
		b.post.ends(func(_ int, u, v end) {
			bins[u.rank][u.slot] = uint32(u.local)
			bins[v.rank][v.slot] = uint32(v.local)
		})
		got, err := comm.Exchange(b.t, bins)
		if err != nil {
			return err
		}
		for _, locals := range got {
			b.ends += int64(len(locals))
			par.For(b.workers, len(locals), 1<<14, func(_, lo, hi int) {
				for _, l := range locals[lo:hi] {
					atomic.AddUint32(&b.degrees[l], 1)
				}
			})
		}
		return nil
	})
}

// number gives owned vertices with an edge their ids, and all ranks a common cut and stride.
func (b *Builder) number() error {
	o := &b.order
	o.IDOf, o.LocalOf = degreeOrder(b.degrees)
	leaves := sort.Search(len(o.LocalOf), func(h int) bool { return b.degrees[o.LocalOf[h]] < 2 })
	highest := []int64{int64(leaves), int64(len(o.LocalOf))}
	if err := b.t.AllReduce(highest, comm.Max); err != nil {
		return err
	}
	core, ids := int(highest[0]), int(highest[1])
	o.Core, o.Stride, o.tail = core, strideOf(core)+gaps.Core, ids-core+gaps.Leaves
	return nil
}

// strideOf is the stride of so many core vertices on the rank with the most.
func strideOf(core int) int { return max((core+WordBits-1)/WordBits, 1) * WordBits }
