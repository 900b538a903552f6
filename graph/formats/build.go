package formats

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
)

// options are what a spec says of any graph.
type options struct {
	directed       bool
	keepDuplicates bool
	keepLoops      bool
	shuffle        bool
	weights        string // weightsKeep, weightsUniform or weightsNone
	seed           uint64
}

// What may become of the weights of a list.
const (
	weightsKeep    = "keep"
	weightsUniform = "uniform"
	weightsNone    = "none"
)

// build makes a graph of a list, which it uses up. Rows are sorted; of duplicates that are dropped, the one with the
// smallest weight stays, in both directions.
func build(ctx context.Context, l *list, o options, workers int) (*Graph, error) {
	relabel(l, o, workers)
	setWeights(l, o, workers)
	b := builder{list: l, options: o, workers: workers, both: l.undirected || !o.directed}
	b.g = &Graph{Directed: o.directed, Offsets: make([]int64, l.vertices+1), Reading: l.reading}
	b.count()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if l.weighted() {
		b.weighted()
	} else {
		b.plain()
	}
	b.countLoops()
	return b.g, context.Cause(ctx)
}

// builder sorts the tuples of a list into rows: it counts, sums and scatters.
type builder struct {
	*list
	options
	workers int
	both    bool // each tuple has an entry in both rows
	g       *Graph
}

// eachEntry calls body for the entries of each part, on several workers. twin is true for the opposite direction of a
// tuple, whose number in its part is i.
func (b *builder) eachEntry(body func(p *part, i int, from, to uint32, twin bool)) {
	b.eachPart(b.workers, func(_ int64, p *part) {
		for i, e := range p.pairs {
			if e.u == e.v && !b.keepLoops {
				continue
			}
			body(p, i, e.u, e.v, false)
			if b.both && e.u != e.v {
				body(p, i, e.v, e.u, true)
			}
		}
	})
}

// count sets each offset to the number of entries in the rows before.
func (b *builder) count() {
	offsets := b.g.Offsets
	b.eachEntry(func(_ *part, _ int, from, _ uint32, _ bool) { atomic.AddInt64(&offsets[from], 1) })
	sum := int64(0)
	for v, n := range offsets {
		offsets[v] = sum
		sum += n
	}
}

// place is where the next entry of a row goes. When all are placed, each offset is that of the row behind: see settle.
func (b *builder) place(row uint32) int64 { return atomic.AddInt64(&b.g.Offsets[row], 1) - 1 }

// settle makes offsets of what place left, and frees the tuples: what is allocated next has their memory.
func (b *builder) settle() {
	offsets := b.g.Offsets
	copy(offsets[1:], offsets[:len(offsets)-1])
	offsets[0] = 0
	b.parts = nil
	runtime.GC()
}

// plain makes the rows of a graph without weights.
func (b *builder) plain() {
	offsets := b.g.Offsets
	entries := make([]uint32, offsets[b.vertices])
	b.eachEntry(func(_ *part, _ int, from, to uint32, _ bool) { entries[b.place(from)] = to })
	b.settle()
	sortRows(b, entries)
	if !b.keepDuplicates {
		entries = compact(offsets, entries, func(a, b uint32) bool { return a == b })
	}
	b.g.Neighbours = entries
}

// weighted makes the rows of a graph with weights. An entry is the neighbour above the bits of the weight, so that
// entries sort by neighbour and then by weight.
func (b *builder) weighted() {
	offsets := b.g.Offsets
	entries := make([]uint64, offsets[b.vertices])
	b.eachEntry(func(p *part, i int, from, to uint32, twin bool) {
		w := b.weight(p.weights[i], twin)
		entries[b.place(from)] = uint64(to)<<32 | uint64(sortable(w))
	})
	b.settle()
	sortRows(b, entries)
	if !b.keepDuplicates {
		entries = compact(offsets, entries, func(a, b uint64) bool { return a>>32 == b>>32 })
	}
	b.g.Neighbours, b.g.Weights = make([]uint32, len(entries)), make([]float32, len(entries))
	b.g.eachRows(b.workers, func(lo, hi int) {
		for i := offsets[lo]; i < offsets[hi]; i++ {
			b.g.Neighbours[i], b.g.Weights[i] = uint32(entries[i]>>32), weightOf(uint32(entries[i]))
		}
	})
}

// weight returns the weight of one direction of a tuple. Of a skew-symmetric matrix a directed graph has both values;
// an undirected one has the smaller, as of the two tuples of the same matrix in general form.
func (b *builder) weight(w float32, twin bool) float32 {
	if b.skew && (b.directed && twin || !b.directed && w > 0) {
		return 0 - w // and no negative zero
	}
	return w
}

// sortRows sorts the entries of each row: those of a list arrive in no order.
func sortRows[E uint32 | uint64](b *builder, entries []E) {
	b.g.eachRows(b.workers, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			slices.Sort(entries[b.g.Offsets[v]:b.g.Offsets[v+1]])
		}
	})
}

// compact leaves out of each row the entries that are the same as the one before, and sets the offsets anew.
func compact[E any](offsets []int64, entries []E, same func(a, b E) bool) []E {
	const worthCopying = 4 // give memory back where a quarter of it or more is not used
	kept, begin := int64(0), int64(0)
	for v := range len(offsets) - 1 {
		end := offsets[v+1]
		row := slices.CompactFunc(entries[begin:end], same)
		kept += int64(copy(entries[kept:], row))
		offsets[v+1], begin = kept, end
	}
	if kept < int64(len(entries))/worthCopying*(worthCopying-1) {
		return slices.Clone(entries[:kept])
	}
	return entries[:kept]
}

// countLoops counts the entries that lead to their own row.
func (b *builder) countLoops() {
	if !b.keepLoops {
		return
	}
	var loops atomic.Int64
	b.g.eachRows(b.workers, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			for _, to := range b.g.Row(v) {
				if int(to) == v {
					loops.Add(1)
				}
			}
		}
	})
	b.g.loops = loops.Load()
}

// sortable is the bits of a weight so that they sort as the weights do: those of negative numbers are turned over.
func sortable(w float32) uint32 {
	if raw := math.Float32bits(w); raw>>31 == 0 {
		return raw | 1<<31
	} else {
		return ^raw
	}
}

// weightOf is the weight of such bits.
func weightOf(s uint32) float32 {
	if s>>31 == 1 {
		return math.Float32frombits(s &^ (1 << 31))
	}
	return math.Float32frombits(^s)
}
