package pages

import (
	"errors"
	"fmt"
	"slices"
)

// none ends a chain of pages.
const none = ^uint32(0)

// ErrFull says that a graph would need more pages behind a batch than there are. It is as it was before the batch.
var ErrFull = errors.New("out of pages: allow more, or delete edges in an earlier batch")

// Graph is a graph in pages. The first word of a page, which is not counted in its size, is the number of the next page
// of its row, and the others are neighbours, in no order and without gaps: the first page of a chain is the only one
// that is not full.
type Graph struct {
	words  []uint32 // all pages
	room   int      // neighbours in a page
	pages  int      // that rows may have; in the middle of a batch there are perhaps more
	free   []uint32 // pages that no row has
	first  []uint32 // a vertex' page that has room, or none
	degree []uint32
	alive  []bool
}

// Tally counts what a batch did.
type Tally struct {
	Inserted, Deleted, Added, Removed int
	Unchanged                         int // insertions of what is there, deletions of what is not
	Unknown                           int // insertions with an end that is no vertex
	Found, Missing                    int // queries
}

// New makes a graph without edges. Its vertices are 0 to vertices-1, of which any can be removed and added again.
func New(vertices, pages, pageBytes int) (*Graph, error) {
	if err := CheckPageBytes(pageBytes); err != nil {
		return nil, err
	}
	g := &Graph{room: pageBytes / 4, pages: pages, first: make([]uint32, vertices), degree: make([]uint32, vertices),
		alive: make([]bool, vertices)}
	for v := range g.first {
		g.first[v], g.alive[v] = none, true
	}
	return g, nil
}

// CheckPageBytes says what a page's size can be.
func CheckPageBytes(n int) error {
	if n < 4 || n > 1<<16 || n&(n-1) != 0 {
		return fmt.Errorf("pages of %d bytes: choose a power of two from 4 to 65536", n)
	}
	return nil
}

// PagesFree is the number of pages that no row has.
func (g *Graph) PagesFree() int { return g.pages - len(g.words)/(g.room+1) + len(g.free) }

// Vertices is the number of vertices, with those removed.
func (g *Graph) Vertices() int { return len(g.first) }

// Degree is the number of neighbours of a vertex.
func (g *Graph) Degree(v uint32) int { return int(g.degree[v]) }

// page is a page's words.
func (g *Graph) page(p uint32) []uint32 {
	at := int(p) * (g.room + 1)
	return g.words[at : at+g.room+1]
}

// used is how many neighbours lie in the first page of a row that has any.
func (g *Graph) used(v uint32) int { return (int(g.degree[v])-1)%g.room + 1 }

// Row calls visit for each neighbour, until it returns false.
func (g *Graph) Row(v uint32, visit func(to uint32) bool) {
	g.slots(v, func(slot *uint32) bool { return visit(*slot) })
}

// slots calls visit for where each neighbour lies, until it returns false.
func (g *Graph) slots(v uint32, visit func(slot *uint32) bool) {
	if g.degree[v] == 0 {
		return
	}
	n := g.used(v)
	for p := g.first[v]; p != none; p = g.page(p)[0] {
		page := g.page(p)
		for i := 1; i <= n; i++ {
			if !visit(&page[i]) {
				return
			}
		}
		n = g.room
	}
}

// find is where a neighbour lies, or nil.
func (g *Graph) find(u, v uint32) (at *uint32) {
	g.slots(u, func(slot *uint32) bool {
		if *slot == v {
			at = slot
		}
		return at == nil
	})
	return at
}

// Has reports whether an edge is there.
func (g *Graph) Has(u, v uint32) bool { return g.vertex(u) && g.vertex(v) && g.find(u, v) != nil }

func (g *Graph) vertex(v uint32) bool { return int(v) < len(g.alive) && g.alive[v] }

// insert puts a neighbour behind the last one, if need be in a page from the queue.
func (g *Graph) insert(u, v uint32) {
	if int(g.degree[u])%g.room == 0 {
		p := g.takePage()
		g.page(p)[0] = g.first[u]
		g.first[u] = p
	}
	g.degree[u]++
	g.page(g.first[u])[g.used(u)] = v
}

// takePage is the page that was given back last, or one that no row has had yet.
func (g *Graph) takePage() (p uint32) {
	if last := len(g.free) - 1; last >= 0 {
		p, g.free = g.free[last], g.free[:last]
		return p
	}
	p = uint32(len(g.words) / (g.room + 1))
	g.words = append(g.words, make([]uint32, g.room+1)...)
	return p
}

// delete fills the gap with the last neighbour, and gives its page back if that was alone there.
func (g *Graph) delete(u uint32, slot *uint32) {
	p, last := g.first[u], g.used(u)
	*slot = g.page(p)[last]
	g.degree[u]--
	if last == 1 {
		g.first[u] = g.page(p)[0]
		g.free = append(g.free, p)
	}
}

// Load makes a graph of rows in rising order without duplicates, with a number of spare pages.
func Load(offsets []int64, columns []uint32, pageBytes, spare int) (*Graph, error) {
	g, err := New(len(offsets)-1, 0, pageBytes)
	if err != nil {
		return nil, err
	}
	for v := range g.first {
		row := columns[offsets[v]:offsets[v+1]]
		for i, to := range row {
			if i > 0 && row[i-1] >= to {
				return nil, errors.New("the graph has edges that occur more than once: choose duplicates=drop")
			}
			g.insert(uint32(v), to)
		}
	}
	g.pages = spare - g.PagesFree()
	return g, nil
}

// Rows is the graph as compressed sparse rows, in rising order.
func (g *Graph) Rows() (offsets []int64, columns []uint32) {
	offsets = append(offsets, 0)
	for v := range uint32(g.Vertices()) {
		begin := len(columns)
		g.Row(v, func(to uint32) bool {
			columns = append(columns, to)
			return true
		})
		slices.Sort(columns[begin:])
		offsets = append(offsets, int64(len(columns)))
	}
	return offsets, columns
}
