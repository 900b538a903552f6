// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"

	"g500/internal/lists"
	"g500/internal/par"
)

// pair is a tuple: an edge between two vertices, or from u to v in a directed graph.
type pair struct{ u, v uint32 }

// chunk is a run of tuples of a list. weights has one for each tuple, or is nil.
type chunk struct {
	pairs   []pair
	weights []float32
	labels  []uint64 // if the graph is renumbered: the ends of pairs are indices of labels, until renumber
}

func (c *chunk) add(u, v uint32) { c.pairs = append(c.pairs, pair{u, v}) }

func (c *chunk) addWeighted(u, v uint32, w float32) {
	c.add(u, v)
	c.weights = append(c.weights, w)
}

// list has the tuples of a graph, as generators and readers make them. Its division into chunks does not depend on the
// number of workers.
type list struct {
	vertices   int64
	chunks     []chunk
	undirected bool // a tuple means both directions, even in a directed graph
	arcs       bool // the file says that its tuples have a direction
	skew       bool // the opposite direction of a tuple has the negative weight
	reading    Reading
}

// tuples returns the number of tuples of the list.
func (l *list) tuples() int64 {
	return lists.Sum(l.chunks, func(c chunk) int64 { return int64(len(c.pairs)) })
}

func (l *list) weighted() bool {
	return slices.ContainsFunc(l.chunks, func(c chunk) bool { return c.weights != nil })
}

// eachChunk calls body, on several workers, for each chunk and the number of tuples before it.
func (l *list) eachChunk(workers int, body func(before int64, c *chunk)) {
	before := make([]int64, len(l.chunks)+1)
	for i := range l.chunks {
		before[i+1] = before[i] + int64(len(l.chunks[i].pairs))
	}
	par.For(workers, len(l.chunks), 1, func(_, i, _ int) { body(before[i], &l.chunks[i]) })
}

// generated makes a list: body adds the tuples of items lo to hi-1, on average at most each per item. If the context
// has ended, the error is its cause.
func (on task) generated(items int64, each float64, body func(lo, hi int64, into *chunk)) (*list, error) {
	const grain = 1 << 15
	l := &list{vertices: on.size.Vertices, chunks: make([]chunk, (items+grain-1)/grain)}
	par.For(on.workers, len(l.chunks), 1, func(_, i, _ int) {
		if on.ctx.Err() != nil {
			return
		}
		lo := int64(i) * grain
		hi := min(lo+grain, items)
		l.chunks[i].pairs = make([]pair, 0, int(float64(hi-lo)*each))
		body(lo, hi, &l.chunks[i])
	})
	return l, context.Cause(on.ctx)
}

// numbering numbers the labels of a block of lines in the order in which they occur first.
type numbering struct {
	labels  []uint64 // by number
	numbers map[uint64]uint32
}

// of returns the number of a label.
func (n *numbering) of(label uint64) uint32 {
	number, known := n.numbers[label]
	if known {
		return number
	}
	if n.numbers == nil {
		n.numbers = map[uint64]uint32{}
	}
	number = uint32(len(n.labels))
	n.labels, n.numbers[label] = append(n.labels, label), number
	return number
}

// labelBytes is the largest memory per tuple for labels while a graph is renumbered: each tuple has at most two labels
// that no other tuple of its block has, in its block, among all labels, and in the copy without repeated ones.
const labelBytes = 2 * 3 * 8

// renumber replaces the numbers of labels in each chunk by vertex numbers: vertices are numbered in the order of their
// labels, so the result does not depend on the division into chunks.
func (l *list) renumber(workers int) error {
	all := slices.Concat(lists.Of(l.chunks, func(c chunk) []uint64 { return c.labels })...)
	slices.Sort(all)
	all = slices.Clone(slices.Compact(all)) // frees the repeated ones
	if l.vertices = int64(len(all)); l.vertices > MaxVertices {
		return errTooManyVertices
	}
	par.For(workers, len(l.chunks), 1, func(_, i, _ int) {
		c := &l.chunks[i]
		vertex := make([]uint32, len(c.labels))
		for n, label := range c.labels {
			at, _ := slices.BinarySearch(all, label)
			vertex[n] = uint32(at)
		}
		for j, e := range c.pairs {
			c.pairs[j] = pair{vertex[e.u], vertex[e.v]}
		}
		c.labels = nil
	})
	l.reading.Labels = all
	return nil
}

// LabelBytes returns an upper bound of the bytes that WriteLabels writes.
func (r Reading) LabelBytes() int64 {
	if len(r.Labels) == 0 {
		return 0
	}
	longest := len(strconv.FormatUint(slices.Max(r.Labels), 10)) + len("\n")
	return int64(len(r.Labels)) * int64(longest)
}

// WriteLabels writes the labels of renumbered vertices as text, one per line: line v+1 has the label of vertex v.
func (r Reading) WriteLabels(to io.Writer) error {
	w := bufio.NewWriterSize(to, blockBytes)
	var line []byte
	for _, label := range r.Labels {
		line = append(strconv.AppendUint(line[:0], label, 10), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}
