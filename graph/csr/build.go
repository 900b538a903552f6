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

// Builder is the state of kernel 1 after its first half: vertices have ids, and rows are not filled.
type Builder struct {
	t       comm.Transport
	edges   []graph.Edge
	workers int
	post    *post
	words   []uint32 // one word for each end of a piece's tuples
	order   Order
	degrees []uint32 // in label order
	ends    int64    // of tuples, as the degrees count them
	done    int64    // parts of kernel 1 that are done, of allParts
}

// Start is the first half of kernel 1: Discover, then Number. It is collective.
func Start(t comm.Transport, edges []graph.Edge, workers int) (*Builder, error) {
	layout, err := Discover(t, edges, workers)
	if err != nil {
		return nil, err
	}
	return Number(t, layout, edges, workers)
}

// Number reads the tuples once, in pieces, and gives vertices their ids by degree. The distribution of the tuples over
// the ranks is arbitrary; each rank uses workers goroutines. Number is collective.
func Number(t comm.Transport, layout partition.Cyclic, edges []graph.Edge, workers int) (*Builder, error) {
	b := &Builder{t: t, edges: edges, workers: workers, post: newPost(layout, workers)}
	b.words = make([]uint32, 2*min(pieceTuples, len(edges)))
	b.order = Order{Layout: layout, Rank: t.Rank()}
	if err := b.countDegrees(); err != nil {
		return nil, fmt.Errorf("kernel 1: counting degrees: %w", err)
	}
	if err := b.number(); err != nil {
		return nil, fmt.Errorf("kernel 1: numbering vertices: %w", err)
	}
	return b, nil
}

// JoinLeaves treats leaves like other vertices: their positions and rows have no special rules.
func (b *Builder) JoinLeaves() {
	o := &b.order
	all := o.Inner + o.tail
	o.Inner, o.Stride, o.tail = all, strideOf(all), 0
}

// Order returns the order of the vertices.
func (b *Builder) Order() Order { return b.order }

// IDs64 reports whether the graph's positions need more than 32 bits. It is the same on all ranks.
func (b *Builder) IDs64() bool { return b.order.IDs64() }

// Approximate shares of the time of kernel 1 in quarters, of which the last one is for sorting.
const (
	degreesParts = 1
	rowsParts    = 2
	allParts     = 4
)

// Discover returns the layout of the graph over the ranks. The number of vertices is the highest label of all tuples
// plus one. It is collective.
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

// countDegrees counts the tuples, without self-loops, that end at every owned vertex, in label order.
func (b *Builder) countDegrees() error {
	b.degrees = make([]uint32, b.order.Layout.Count(b.t.Rank()))
	return b.pieces(degreesParts, func(_ int, piece []graph.Edge) error {
		b.post.load(piece)
		bins := binsOf(b.post, b.words)
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

// number gives non-isolated owned vertices their ids, and sets the first id of leaves and the stride, which are the
// same on all ranks.
func (b *Builder) number() error {
	o := &b.order
	o.IDOf, o.LocalOf = degreeOrder(b.degrees)
	leaves := sort.Search(len(o.LocalOf), func(h int) bool { return b.degrees[o.LocalOf[h]] < 2 })
	highest := []int64{int64(leaves), int64(len(o.LocalOf))}
	if err := b.t.AllReduce(highest, comm.Max); err != nil {
		return err
	}
	inner, ids := int(highest[0]), int(highest[1])
	o.Inner, o.Stride, o.tail = inner, strideOf(inner)+gaps.Inner, ids-inner+gaps.Leaves
	return nil
}

// strideOf returns the stride if the rank with the most non-leaf vertices has that many.
func strideOf(inner int) int { return max((inner+WordBits-1)/WordBits, 1) * WordBits }
