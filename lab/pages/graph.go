// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"g500/lab"
)

// none ends a chain of pages.
const none = ^uint32(0)

// ErrFull means that a graph needs more pages after a batch than it has. The graph is as before the batch.
var ErrFull = errors.New("out of pages: allow more, or delete edges in an earlier batch")

// Graph is a graph in pages, on one CPU thread. The first word of a page, which does not count in its
// size, is the number of the next page of the row; the others are neighbours, in any order, without gaps. Only the
// first page of a chain can be partly full.
type Graph struct {
	Layout

	words    []uint32 // all pages
	capacity int      // neighbours per page
	pages    int      // that rows may use; a batch can exceed it before it ends
	free     []uint32 // pages that no row uses
	first    []uint32 // first page of each vertex, or none
	degree   []uint32
	alive    []bool

	watch func(done int) // is called after parts of a batch, unless it is nil
}

// CheckPageBytes returns an error for a size that a page cannot have.
func CheckPageBytes(n int) error {
	if n < 4 || n > 1<<16 || n&(n-1) != 0 {
		return fmt.Errorf("pages of %d bytes: choose a power of two from 4 to 65536", n)
	}
	return nil
}

// PagesFree returns the number of pages that no row uses.
func (g *Graph) PagesFree() int { return g.pages - len(g.words)/(g.capacity+1) + len(g.free) }

// Bytes returns the memory of the graph if all its pages exist, and the part of it that belongs to free pages.
func (g *Graph) Bytes() (all, free int64) {
	const perVertex = 4 + 4 + 1 // first, degree, alive
	page := int64(4 * (g.capacity + 1))
	return int64(len(g.first))*perVertex + int64(g.pages)*page, int64(g.PagesFree()) * page
}

// Vertices returns the number of vertices, including removed ones.
func (g *Graph) Vertices() int { return len(g.first) }

// page returns the words of a page.
func (g *Graph) page(p uint32) []uint32 {
	at := int(p) * (g.capacity + 1)
	return g.words[at : at+g.capacity+1]
}

// used returns the number of neighbours in the first page of a row that is not empty.
func (g *Graph) used(v uint32) int { return (int(g.degree[v])-1)%g.capacity + 1 }

// row returns the places of all neighbours.
func (g *Graph) row(v uint32) iter.Seq[*uint32] {
	return func(yield func(*uint32) bool) {
		if g.degree[v] == 0 {
			return
		}
		n := g.used(v)
		for p := g.first[v]; p != none; p, n = g.page(p)[0], g.capacity {
			page := g.page(p)[1 : 1+n]
			for i := range page {
				if !yield(&page[i]) {
					return
				}
			}
		}
	}
}

// find returns the place of a neighbour, or nil.
func (g *Graph) find(u, v uint32) *uint32 {
	for to := range g.row(u) {
		if *to == v {
			return to
		}
	}
	return nil
}

func (g *Graph) vertex(v uint32) bool { return int(v) < len(g.alive) && g.alive[v] }

// insert adds a neighbour at the end of the first page, or in the page that was freed last, or in a new one.
func (g *Graph) insert(u, v uint32) {
	if int(g.degree[u])%g.capacity == 0 {
		p := uint32(len(g.words) / (g.capacity + 1))
		if last := len(g.free) - 1; last >= 0 {
			p, g.free = g.free[last], g.free[:last]
		} else {
			g.words = append(g.words, make([]uint32, g.capacity+1)...)
		}
		g.page(p)[0] = g.first[u]
		g.first[u] = p
	}
	g.degree[u]++
	g.page(g.first[u])[g.used(u)] = v
}

// delete fills the gap with the last neighbour, and frees its page if it was the only one there.
func (g *Graph) delete(u uint32, place *uint32) {
	p, last := g.first[u], g.used(u)
	*place = g.page(p)[last]
	g.degree[u]--
	if last == 1 {
		g.first[u] = g.page(p)[0]
		g.free = append(g.free, p)
	}
}

// NewGraph returns a graph without vertices.
func NewGraph(l Layout) *Graph { return &Graph{Layout: l} }

// Name returns the name of the machine.
func (g *Graph) Name() string { return "1 CPU thread" }

// Close does nothing.
func (g *Graph) Close() error { return nil }

// Load puts a graph without duplicates into pages. Vertices can be removed and added again.
func (g *Graph) Load(from *lab.Graph) error {
	vertices := from.Vertices()
	*g = Graph{Layout: g.Layout, watch: g.watch, capacity: g.PageBytes / 4,
		degree: make([]uint32, vertices), first: slices.Repeat([]uint32{none}, vertices),
		alive: slices.Repeat([]bool{true}, vertices)}
	for v := range g.first {
		row := from.Row(uint32(v))
		for i, to := range row {
			if i > 0 && row[i-1] >= to {
				return errors.New("the graph has edges that occur more than once: choose duplicates=drop")
			}
			g.insert(uint32(v), to)
		}
	}
	g.pages = g.Spare - g.PagesFree()
	return nil
}

// Rows returns the graph as compressed sparse rows, without an error.
func (g *Graph) Rows() (*lab.Graph, error) {
	rows := &lab.Graph{Offsets: []int64{0}}
	for v := range uint32(g.Vertices()) {
		for to := range g.row(v) {
			rows.Columns = append(rows.Columns, *to)
		}
		rows.Offsets = append(rows.Offsets, int64(len(rows.Columns)))
		slices.Sort(rows.Row(v))
	}
	return rows, nil
}
