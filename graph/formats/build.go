// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"g500/internal/hugepage"
	"g500/internal/par"
)

// build makes a graph of a list, which it empties, with the parameters that all kinds take. Rows are sorted; of
// duplicates that are dropped, the one with the smallest weight stays, in both directions.
func build(ctx context.Context, l *list, v values, workers int) (*Graph, error) {
	if v.is("shuffle") {
		l.shuffle(v.seed("seed"), workers)
	}
	l.setWeights(v, workers)
	b := builder{list: l, workers: workers, directed: v.directed(l.arcs), keepLoops: v["loops"] == "keep",
		keepDuplicates: v["duplicates"] == "keep"}
	b.ranges = l.rangesOf(workers)
	b.g = &Graph{Directed: b.directed, Offsets: hugepage.Make[int64](int(l.vertices) + 1), Reading: l.reading}
	b.tuples, b.mirrored = l.tuples(), l.mirrored(workers)
	if note := l.assumed(v, b.mirrored); note != "" {
		b.g.Notes = append(slices.Clone(b.g.Notes), note)
	}
	b.count()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if l.weighted() {
		b.weighted()
	} else {
		b.g.Neighbours = rows(&b, func(_ *chunk, _ int, to uint32, _ bool) uint32 { return to },
			func(e uint32) uint32 { return e })
	}
	return b.g, context.Cause(ctx)
}

// assumed returns a note if each tuple of a file becomes an edge in both directions, although the file says otherwise
// or, with symmetric=auto, does not say so; else "".
func (l *list) assumed(v values, mirrored bool) string {
	why := "has arcs without their opposites"
	if !l.arcs {
		why = "does not say whether its edges have a direction"
	}
	if v.directed(l.arcs) || mirrored || !l.arcs && (l.undirected || v[symmetric] != auto) {
		return ""
	}
	return fmt.Sprintf("%s %s, and each is an edge in both directions: %s=no keeps the graph directed",
		l.reading.Source.Path, why, symmetric)
}

// shuffle renumbers the vertices by a random permutation.
func (l *list) shuffle(seed uint64, workers int) {
	labels := newPermutation(uint64(l.vertices), newStream(seed, forLabels))
	l.eachChunk(workers, func(_ int64, c *chunk) {
		for i, e := range c.pairs {
			c.pairs[i] = pair{uint32(labels.at(uint64(e.u))), uint32(labels.at(uint64(e.v)))}
		}
	})
	before := l.reading.Labels
	l.reading.Labels = slices.Clone(before)
	for v, label := range before {
		l.reading.Labels[labels.at(uint64(v))] = label
	}
}

// drawnWeights are the distributions from which weights are drawn. GAP's weights are whole numbers from 1 to 255.
var drawnWeights = map[string]func(s stream, i uint64) float32{
	"uniform": func(s stream, i uint64) float32 { return float32(s.word(i)>>40) * 0x1p-24 },
	"integer": func(s stream, i uint64) float32 { return float32(1 + int(s.unit(i)*255)) },
}

// setWeights draws a weight for each tuple, removes the weights, or keeps them. Both directions of an edge have the
// same weight.
func (l *list) setWeights(v values, workers int) {
	if draw := drawnWeights[v["weights"]]; draw != nil {
		draws := newStream(v.seed("seed"), forWeights)
		l.skew = false
		l.eachChunk(workers, func(before int64, c *chunk) {
			c.weights = make([]float32, len(c.pairs))
			for i := range c.weights {
				c.weights[i] = draw(draws, uint64(before)+uint64(i))
			}
		})
	}
	if v["weights"] == "none" {
		for i := range l.chunks {
			l.chunks[i].weights = nil
		}
	}
}

// builder sorts the tuples of a list into rows: it counts, sums and scatters them.
type builder struct {
	*list
	workers                             int
	directed, keepLoops, keepDuplicates bool
	mirrored                            bool    // the list has each tuple in both directions
	tuples                              int64   // of the list
	ranges                              []int64 // of rows, one for each worker
	g                                   *Graph
}

// eachEntry calls body, on several workers, for the entries of all tuples. i is the number of the tuple in its chunk;
// reverse means the opposite direction of the tuple. Each worker reads all tuples and takes the entries of its range of
// rows, so no other worker changes these rows, and the processor can wait for many of their cache lines together.
func (b *builder) eachEntry(body func(c *chunk, i int, from, to uint32, reverse bool)) {
	both := b.undirected || !b.directed
	par.For(b.workers, len(b.ranges)-1, 1, func(_, r, _ int) {
		lo, size := uint32(b.ranges[r]), uint32(b.ranges[r+1]-b.ranges[r])
		for at := range b.chunks {
			c := &b.chunks[at]
			for i, e := range c.pairs {
				if e.u-lo < size {
					body(c, i, e.u, e.v, false)
				}
				if e.v-lo < size && both && e.u != e.v {
					body(c, i, e.v, e.u, true)
				}
			}
		}
	})
}

// rangesOf divides the vertices of a list into ranges of rows with about equally many entries, according to a sample of
// the tuples. Range r begins at vertex ranges[r].
func (l *list) rangesOf(workers int) (ranges []int64) {
	const most, samples = 16, 1 << 12 // more ranges than workers' caches would only read the tuples more often
	var ends []int64
	stride, left := max(l.tuples()/samples, 1), int64(0)
	for _, c := range l.chunks {
		for ; left < int64(len(c.pairs)); left += stride {
			ends = append(ends, int64(c.pairs[left].u), int64(c.pairs[left].v))
		}
		left -= int64(len(c.pairs))
	}
	slices.Sort(ends)
	count := min(workers, most)
	ranges = make([]int64, 1, count+1)
	for r := 1; r < count && len(ends) > 0; r++ {
		if next := ends[len(ends)*r/count]; next > ranges[len(ranges)-1] {
			ranges = append(ranges, next)
		}
	}
	return append(ranges, l.vertices)
}

// count sets each offset to the number of entries in the rows before it.
func (b *builder) count() {
	offsets := b.g.Offsets
	b.eachEntry(func(_ *chunk, _ int, from, _ uint32, _ bool) { offsets[from]++ })
	sum := int64(0)
	for v, n := range offsets {
		offsets[v] = sum
		sum += n
	}
}

// rows returns the sorted entries of all rows, without self-loops and duplicates unless they are kept, and frees the
// tuples. to returns the end of an entry.
func rows[E uint32 | uint64](b *builder, entry func(c *chunk, i int, to uint32, reverse bool) E,
	to func(E) uint32) []E {
	offsets := b.g.Offsets
	entries := hugepage.Make[E](int(offsets[b.vertices]))
	b.eachEntry(func(c *chunk, i int, from, to uint32, reverse bool) {
		entries[offsets[from]] = entry(c, i, to, reverse)
		offsets[from]++
	})
	copy(offsets[1:], offsets[:len(offsets)-1]) // each offset has become the one of the next row
	offsets[0] = 0
	b.chunks = nil
	runtime.GC() // the next allocation uses the memory of the tuples
	return compact(b, entries, sortRows(b, entries, to))
}

// weighted makes the rows of a graph with weights. An entry has the neighbour above the bits of the weight, so entries
// sort by neighbour and then by weight.
func (b *builder) weighted() {
	entries := rows(b, func(c *chunk, i int, to uint32, reverse bool) uint64 {
		return uint64(to)<<32 | uint64(sortable(b.weight(c.weights[i], reverse)))
	}, func(e uint64) uint32 { return uint32(e >> 32) })
	g := b.g
	g.Neighbours, g.Weights = make([]uint32, len(entries)), make([]float32, len(entries))
	g.eachRows(b.workers, func(lo, hi int) {
		for i := g.Offsets[lo]; i < g.Offsets[hi]; i++ {
			g.Neighbours[i], g.Weights[i] = uint32(entries[i]>>32), weightOf(uint32(entries[i]))
		}
	})
}

// weight returns the weight of one direction of a tuple. For a skew-symmetric matrix, a directed graph has both values
// and an undirected one has the smaller, as if the matrix were in general form.
func (b *builder) weight(w float32, reverse bool) float32 {
	if b.skew && (b.directed && reverse || !b.directed && w > 0) {
		return 0 - w // never a negative zero
	}
	return w
}

// compact moves the pieces of rows together, which end where sortRows says, and updates the offsets.
func compact[E uint32 | uint64](b *builder, entries []E, ends []int64) []E {
	kept := int64(0)
	for p, end := range ends {
		rows := b.g.Offsets[p*rowsAPiece : min((p+1)*rowsAPiece, len(b.g.Offsets)-1)]
		begin := rows[0]
		if begin > kept {
			copy(entries[kept:], entries[begin:end])
			for v := range rows {
				rows[v] -= begin - kept
			}
		}
		kept += end - begin
	}
	b.g.Offsets[b.vertices] = kept
	if kept < int64(len(entries))/4*3 { // copying frees 25% of the memory or more
		return slices.Clone(entries[:kept])
	}
	return entries[:kept]
}

// sortable returns bits that sort as weights do: a positive number's with the sign bit set, a negative one's inverted.
func sortable(w float32) uint32 {
	raw := math.Float32bits(w)
	return raw ^ (uint32(int32(raw)>>31) | 1<<31)
}

// weightOf returns the weight with the bits s of sortable.
func weightOf(s uint32) float32 {
	return math.Float32frombits(s ^ (^uint32(int32(s)>>31) | 1<<31))
}

// Repeats counts the edges that a simple graph does not have.
type Repeats struct {
	Loops      int64 `json:"self_loops"` // edges from a vertex to itself
	Duplicates int64 `json:"duplicates"` // copies of edges, in either direction if undirected
}

// mirrored reports whether the list has each tuple with different ends equally often in both directions.
func (l *list) mirrored(workers int) bool {
	var checksum atomic.Uint64
	l.eachChunk(workers, func(_ int64, c *chunk) {
		sum := uint64(0)
		for _, e := range c.pairs {
			switch {
			case e.u < e.v:
				sum += mix(uint64(e.u)<<32 | uint64(e.v))
			case e.u > e.v:
				sum -= mix(uint64(e.v)<<32 | uint64(e.u))
			}
		}
		checksum.Add(sum)
	})
	return checksum.Load() == 0
}

// sortRows sorts rows, moves their kept entries to the start of each piece of rows, and returns the ends of these. It
// counts self-loops and duplicates; to returns the end of an entry. If the input lists each undirected edge from both
// ends, as DIMACS does, the second tuple is no duplicate.
func sortRows[E uint32 | uint64](b *builder, entries []E, to func(E) uint32) (ends []int64) {
	const loop, copied = 1, 2 // bits of the kind of an entry: with equal ends; not the first one between its ends
	keeps := [4]bool{true, b.keepLoops, b.keepDuplicates, b.keepLoops && b.keepDuplicates}
	var entriesOf [4]atomic.Int64 // by kind
	offsets := b.g.Offsets
	ends = make([]int64, (b.vertices+rowsAPiece-1)/rowsAPiece)
	b.g.eachRows(b.workers, func(lo, hi int) {
		var count [4]int64
		begin, kept := offsets[lo], offsets[lo]
		for v := lo; v < hi; v++ {
			row := entries[begin:offsets[v+1]]
			if begin = offsets[v+1]; v > lo {
				offsets[v] = kept
			}
			slices.Sort(row)
			for i, e := range row {
				kind := 0
				if int(to(e)) == v {
					kind = loop
				}
				if i > 0 && to(e) == to(row[i-1]) {
					kind |= copied
				}
				if count[kind]++; keeps[kind] {
					entries[kept] = e
					kept++
				}
			}
		}
		ends[lo/rowsAPiece] = kept
		for kind, n := range count {
			entriesOf[kind].Add(n)
		}
	})
	b.g.Repeats = Repeats{entriesOf[loop].Load() + entriesOf[loop|copied].Load(), entriesOf[copied].Load()}
	if !b.directed {
		b.g.Duplicates /= 2 // which have an entry at both ends
	}
	if b.keepLoops {
		b.g.loops = entriesOf[loop].Load()
	}
	if keeps[loop|copied] {
		b.g.loops = b.g.Loops
	}
	if b.mirrored && !b.directed && !b.keepDuplicates {
		b.g.Duplicates -= (b.tuples - b.g.Loops) / 2
	}
	return ends
}
