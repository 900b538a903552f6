package bfs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// partOf returns a rank's part of a random graph, without replicated bits.
func partOf(t testing.TB, tr comm.Transport, vertices, tuples int) *csr.Graph[csr.Pos32] {
	r := rand.New(rand.NewPCG(7, uint64(tr.Rank())))
	edges := make([]graph.Edge, tuples/tr.Size())
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(r.IntN(vertices)), graph.Global(r.IntN(vertices)))
	}
	return expect.Value(csr.Finish[csr.Pos32](expect.Value(csr.Start(tr, edges, false, 1))(t), 0))(t)
}

// ghostsOf returns the ghosts of a rank.
func ghostsOf(g *csr.Graph[csr.Pos32]) (ghosts []csr.Pos32) {
	for r := range g.Layout.Ranks() {
		ids, first := g.Ghosts(r)
		for i := range ids {
			ghosts = append(ghosts, first+csr.Pos32(i))
		}
	}
	return ghosts
}

// Each rank receives the bits of exactly the ghosts that it queries. After one query, owners reply in several searches.
func TestQueries(t *testing.T) {
	for _, nodes := range [][]int{{0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 2}, {0, 0, 0, 1, 1, 2, 2, 3}} {
		enginetest.OnRanks(t, len(nodes), func(t testing.TB, tr comm.Transport) {
			tr = comm.EmulateNodes(tr, nodes)
			g := partOf(t, tr, 150*len(nodes), 600*len(nodes))
			ghosts := ghostsOf(g)
			q := newQueries(tr, g, comm.NewTwoLevel(tr))
			for search := range uint64(6) {
				r := rand.New(rand.NewPCG(search, uint64(tr.Rank())))
				if search%2 == 0 {
					var queried []csr.Pos32
					for range r.IntN(100) * r.IntN(2) {
						queried = append(queried, ghosts[r.IntN(len(ghosts))])
					}
					expect.NoError(t, q.post(slices.Clone(queried)))
					for _, p := range queried {
						if !slices.Contains(q.index, p) {
							t.Fatalf("vertex %d is not among the queries", p)
						}
					}
				}
				expect.NoError(t, checkReplies(q, ghosts, search), "nodes", nodes, "search", search)
			}
		})
	}
}

// checkReplies checks the bits of this rank's ghosts for a set of visited vertices that depends on the search.
func checkReplies(q *queries[csr.Pos32], ghosts []csr.Pos32, search uint64) error {
	g := q.g
	visited := func(r int, id csr.ID) bool { return (uint64(g.Position(r, id))*2654435761+search*7)>>3&1 == 1 }
	own, got := make(bitmap, g.None()/csr.WordBits+1), make(bitmap, g.None()/csr.WordBits+1)
	for id := range csr.ID(g.OwnInner()) {
		if visited(g.Rank, id) {
			own.set(uint64(g.Index(id)))
		}
	}
	if err := q.reply(own, got); err != nil {
		return err
	}
	for _, p := range ghosts {
		position := csr.Pos32(g.Position(g.Owner(p)))
		if want := visited(g.Owner(p)) && slices.Contains(q.own, position); got.has(uint64(p)) != want {
			return fmt.Errorf("vertex %d is reported as visited: %v", p, got.has(uint64(p)))
		}
	}
	if got.has(uint64(g.None())) {
		return errors.New("the bit of None is set")
	}
	return nil
}

func TestDamagedQueries(t *testing.T) {
	for meaning, message := range map[string][]byte{
		"a position out of range":    {5, 4},
		"a number that does not end": {0x80},
		"a gap that is too large":    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
	} {
		if eachQuery(message, 10, func(csr.Pos32) {}) == nil {
			t.Errorf("%s is accepted", meaning)
		}
	}
}

// Positions in a message rise, and are below the limit.
func FuzzQueries(f *testing.F) {
	f.Add([]byte{0, 0, 3, 0x80, 1}, uint32(200))
	f.Fuzz(func(t *testing.T, message []byte, limit uint32) {
		next := int64(0)
		_ = eachQuery(message, csr.Pos32(limit), func(p csr.Pos32) {
			if int64(p) < next || p >= csr.Pos32(limit) {
				t.Fatalf("position %d after %d, limit %d", p, next-1, limit)
			}
			next = int64(p) + 1
		})
	})
}

// Vertices in a bin are below the limit.
func FuzzBins(f *testing.F) {
	f.Add([]byte{2, 1, 3, 0x80, 1}, uint16(200))
	f.Fuzz(func(t *testing.T, message []byte, limit uint16) {
		_ = readBin(message, int(limit), func(vertex, parent csr.ID) {
			if vertex >= csr.ID(limit) || parent >= csr.NoID {
				t.Fatalf("vertex %d of %d, parent %d", vertex, limit, parent)
			}
		})
	})
}

// The numbers of vertices in the bin of a node are unique, and only the owner accepts them.
func TestAddressesOfNodes(t *testing.T) {
	nodes := []int{0, 1, 0, 0, 1}
	to := addressesOf(nodes)
	seen := map[[2]int]bool{}
	for r, a := range to {
		for id := range csr.ID(20) {
			number := a.number(id)
			if key := [2]int{a.bin, int(number)}; seen[key] || a.bin != nodes[r] {
				t.Errorf("vertex %d of rank %d has the number of another one", id, r)
			} else {
				seen[key] = true
			}
			for other, b := range to {
				got, is := b.id(number)
				if b.bin == a.bin && (is != (other == r) || is && got != id) {
					t.Errorf("rank %d accepts vertex %d of rank %d as its %d: %v", other, id, r, got, is)
				}
			}
		}
	}
}
