// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/lab"
)

// sets is a graph as sets, which shares no code with pages.
type sets map[uint32]map[uint32]bool

func (t sets) apply(u Update) {
	switch u.Kind {
	case InsertEdge:
		if t[u.U] != nil && t[u.V] != nil {
			t[u.U][u.V] = true
		}
	case DeleteEdge:
		delete(t[u.U], u.V)
	case AddVertex:
		if t[u.U] == nil {
			t[u.U] = map[uint32]bool{}
		}
	case RemoveVertex:
		delete(t, u.U)
		for _, row := range t {
			delete(row, u.U)
		}
	}
}

// read returns the graph in pages as sets, and the number of pages that its rows need.
func read(t *testing.T, g *Graph) (all sets, pages int) {
	all = sets{}
	for v := range uint32(g.Vertices()) {
		if g.alive[v] {
			all[v] = map[uint32]bool{}
		}
		for to := range g.row(v) {
			expect.Must(t, !all[v][*to], "edge %d to %d occurs twice", v, *to)
			all[v][*to] = true
		}
		pages += (int(g.degree[v]) + g.capacity - 1) / g.capacity
	}
	return all, pages
}

// loaded returns an undirected graph in pages.
func loaded(t *testing.T, vertices int, edges [][2]uint32, l Layout) *Graph {
	g := NewGraph(l)
	expect.NoError(t, g.Load(lab.Symmetric("", vertices, edges)))
	return g
}

// After each batch the graph equals the sets, a batch that needs too many pages changes nothing, and no page is lost.
func TestBatches(t *testing.T) {
	const vertices, pages = 24, 60
	full := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := loaded(t, vertices, nil, Layout{4 << (seed % 4), pages})
		want, _ := read(t, g)
		for range 30 {
			var updates []Update
			for range r.IntN(60) {
				kind := []Kind{InsertEdge, InsertEdge, InsertEdge, DeleteEdge, Query, AddVertex, RemoveVertex}[r.IntN(7)]
				if kind == RemoveVertex && r.IntN(4) > 0 {
					kind = InsertEdge
				}
				updates = append(updates, Update{kind, r.Uint32N(vertices), r.Uint32N(vertices)})
			}
			if _, err := g.Apply(updates); errors.Is(err, ErrFull) {
				full++
			} else {
				for _, u := range updates {
					want.apply(u)
				}
			}
			got, used := read(t, g)
			expect.Must(t, reflect.DeepEqual(got, want) && used+g.PagesFree() == pages,
				"seed %d: %d pages in rows, %d free\n%v\n%v", seed, used, g.PagesFree(), got, want)
		}
	}
	expect.That(t, full != 0, "no batch needed too many pages")
}

func TestTally(t *testing.T) {
	g := loaded(t, 4, nil, Layout{4, 8})
	batches := expect.Value(Read("+ 0 1 #\n+ 0 1\n? 0 1\n? 1 0\n- 2 3\n+ 0 9\n\n-v 1\n-v 1\n? 0 1\n+v 1\n"))(t)
	expect.Equal(t, len(batches), 2, "batches")
	for i, want := range []Tally{{Inserted: 1, Unchanged: 2, Found: 1, Missing: 1, Unknown: 1},
		{Removed: 1, Unchanged: 1, Missing: 1, Added: 1}} {
		expect.Equal(t, expect.Value(g.Apply(batches[i]))(t), want, "batch", i)
	}
	all, free := g.Bytes()
	expect.That(t, free == 8*8 && all == 8*8+4*9, "%d bytes, %d of them free", all, free)
	expect.Equal(t, g.PagesFree(), 8, "pages free")
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"+ 0 1\n* 1 2": "line 2, column 1: \"*\" is no update", "+ 0": "takes 2 vertices, not 1",
		"+ 12 x": "line 1, column 6: \"x\" is no vertex", "-v -1": "column 4",
		strings.Repeat("x", 99): "column 1: \"" + strings.Repeat("x", 20) + "\" is no update",
	} {
		expect.Error(t, expect.Err(Read(text)), want, text)
	}
}

// A loaded graph has each edge once. Random deletions are of existing edges.
func TestLoadAndDraw(t *testing.T) {
	g := loaded(t, 3, [][2]uint32{{0, 0}, {0, 1}, {0, 2}}, Layout{8, 3})
	got, used := read(t, g)
	want := sets{0: {0: true, 1: true, 2: true}, 1: {0: true}, 2: {0: true}}
	expect.That(t, reflect.DeepEqual(got, want) && used == 4 && g.PagesFree() == 3,
		"%v, %d pages, %d free", got, used, g.PagesFree())
	r := expect.Value(ParseRandom("size=50,deletions=1,seed=7"))(t)
	deletions := 0
	for _, u := range r.Draw(g, 0) {
		if u.Kind == DeleteEdge {
			deletions++
			expect.That(t, want[u.U][u.V], "edge %d to %d does not exist", u.U, u.V)
		}
	}
	expect.That(t, deletions != 0, "no deletions")
	for _, bad := range []string{"batches=0", "pigeon=1", "size=x", "deletions=2", "deletions=NaN"} {
		expect.That(t, expect.Err(ParseRandom(bad)) != nil, "%v", bad)
	}
}
