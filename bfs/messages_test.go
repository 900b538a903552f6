// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
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

// Ranks query no labels of parents if they know all, and few if they know 1/8, for the highest degrees.
func TestLabelsOfParentsAreKnown(t *testing.T) {
	for ranks, part := range map[int]int{4: 1 << 30, 32: 20} {
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			p, tuples := enginetest.Official(12, tr.Rank(), ranks)
			h := expect.Value(NewHybrid(2)(tr, tuples.HostTuples))(t).(*Hybrid[csr.Pos32])
			expect.NoError(t, expect.Err(h.Search(p.KeyCandidate(3)%h.Layout().Vertices())))
			others, queried := []csr.ID(nil), 0
			others = h.notFirst(others, 0, len(h.first))
			for w := range h.lanes {
				queried += len(h.lanes[w].missed)
			}
			sums := []int64{int64(len(others)), int64(queried)}
			expect.NoError(t, tr.AllReduce(sums, comm.Sum))
			if sums[0] == 0 || sums[1] > sums[0]/int64(part) {
				t.Errorf("%d ranks query %d labels of %d parents", ranks, sums[1], sums[0])
			}
		})
	}
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

type pair struct{ vertex, parent csr.ID }

// drawnPairs returns runs of vertices with rising ids, as in rows, some of them in pieces.
func drawnPairs(r *rand.Rand, limit int) (pairs []pair) {
	for range r.IntN(20) {
		parent := csr.ID(r.Uint32N(uint32(csr.NoID)))
		for range 1 + r.IntN(2) {
			for vertex := r.IntN(limit); vertex < limit; vertex += 1 + r.IntN(1+r.IntN(limit)) {
				pairs = append(pairs, pair{csr.ID(vertex), parent})
			}
		}
	}
	return pairs
}

func read(message []byte, limit int) (pairs []pair, err error) {
	err = readBin(message, limit, func(vertex, parent csr.ID) { pairs = append(pairs, pair{vertex, parent}) })
	return pairs, err
}

// A bin has the pairs that were added, in fewer bytes than two words per pair if runs are long. A truncated bin has the
// first pairs.
func TestBins(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	b := newBins(1)[0]
	for range 200 {
		limit := 1 + r.IntN(1<<r.IntN(20))
		pairs := drawnPairs(r, limit)
		b.clear()
		for _, p := range pairs {
			b.add(p.vertex, p.parent)
		}
		if got, err := read(b.message, limit); err != nil || !slices.Equal(got, pairs) {
			t.Fatalf("%d pairs of vertices below %d were read as %d others (%v)", len(pairs), limit, len(got), err)
		}
		if len(pairs) > 1000 && len(b.message) > 4*len(pairs) {
			t.Errorf("%d bytes for %d pairs", len(b.message), len(pairs))
		}
		for n := range min(len(b.message), 100) {
			if got, _ := read(b.message[:n], limit); len(got) > 0 && !slices.Equal(got, pairs[:len(got)]) {
				t.Fatalf("the first %d bytes have other pairs", n)
			}
		}
	}
}

func TestDamagedBins(t *testing.T) {
	b := newBins(1)[0]
	b.add(9, 5)
	for meaning, message := range map[string][]byte{
		"a vertex out of range":        b.message,
		"a pair without a parent":      b.message[:1],
		"a run without a start":        {3},
		"a number that does not end":   {0x80},
		"a parent without an id":       {2, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"a vertex far above the limit": {2, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
	} {
		if got, err := read(message, 9); err == nil {
			t.Errorf("%s is accepted: %v", meaning, got)
		}
	}
}

// A message has the complete bins of all workers with pairs.
func TestPartsOfMessages(t *testing.T) {
	merged := func(parts ...string) (message []byte) {
		for _, p := range parts {
			at := len(message)
			message = append(message, make([]byte, partBytes([]byte(p)))...)
			putPart(message[at:], []byte(p))
		}
		return message
	}
	message, long := merged("one", "more"), strings.Repeat("long", 100)
	parts, err := partsOf([][]byte{nil, message, merged("x", long)})
	want := []part{{1, []byte("one")}, {1, []byte("more")}, {2, []byte("x")}, {2, []byte(long)}}
	if err != nil || !reflect.DeepEqual(parts, want) {
		t.Errorf("%q, %v", parts, err)
	}
	for n := range message {
		if parts, err := partsOf([][]byte{message[:n]}); err == nil && n != 0 && n != 4 {
			t.Errorf("the first %d bytes are accepted: %q", n, parts)
		}
	}
}

// A message updates the older bitmap to the newer one, and is at most one byte longer than the words. A truncated
// message is refused or sets no wrong bits.
func TestMessagesOfNewBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, density := range []float64{0, 0.001, 0.05, 0.5, 1} {
		sent, now := make(bitmap, 40), make(bitmap, 40)
		for i := range now {
			for b := range 64 {
				if r.Float64() < 0.1 {
					sent[i] |= 1 << b
				}
				if r.Float64() < density {
					now[i] |= 1 << b
				}
			}
			now[i] |= sent[i]
		}
		message := appendNew(nil, now, sent)
		if len(message) > 1+8*len(now) {
			t.Errorf("density %g: %d bytes for %d words", density, len(message), len(now))
		}
		got := slices.Clone(sent)
		if err := addNew(got, message); err != nil || !slices.Equal(got, now) {
			t.Errorf("density %g: other bits (%v)", density, err)
		}
		for n := range len(message) {
			got := slices.Clone(sent)
			err := addNew(got, message[:n])
			for i := range got {
				if err == nil && got[i]&^now[i] != 0 {
					t.Errorf("density %g: the first %d bytes set other bits", density, n)
				}
			}
		}
		if err := addNew(make(bitmap, 39), message); density > 0.4 && err == nil {
			t.Errorf("density %g: a message of more words is accepted", density)
		}
	}
}

// held counts the memory of a value: the capacity of its slices, each array once, without values in interfaces, such as
// the transport.
type held struct {
	seen  map[uintptr]bool
	bytes int64
}

func (x *held) count(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !x.seen[v.Pointer()] {
			x.seen[v.Pointer()] = true
			x.bytes += int64(v.Type().Elem().Size())
			x.count(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			x.count(v.Field(i))
		}
	case reflect.Slice:
		if v.Cap() == 0 || x.seen[v.Pointer()] {
			return
		}
		x.seen[v.Pointer()] = true
		x.bytes += int64(v.Cap()) * int64(v.Type().Elem().Size())
		if k := v.Type().Elem().Kind(); k == reflect.Slice || k == reflect.Struct {
			for i := range v.Len() {
				x.count(v.Index(i))
			}
		}
	}
}

// tableBytes is the approximate size of a rank's tables per other rank: addresses, empty bins and messages, offsets.
const tableBytes = 400

// A rank has memory for its own vertices and edges: structure, state, ghosts, and their bits in bitmaps. For each other
// rank it has a few words and the replicated bits. For a constant number of vertices per rank, only the latter depend
// on the number of ranks.
func TestMemoryDoesNotGrowWithRanks(t *testing.T) {
	was := bounds
	t.Cleanup(func() { bounds = was })
	bounds.TwoLevelFrom, bounds.QueriesFrom = 0, 0
	for scale, ranks := range map[int]int{13: 8, 17: 128} {
		nodes := make([]int, ranks) // of two ranks each
		for r := range nodes {
			nodes[r] = r / 2
		}
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			p, tuples := enginetest.Official(scale, tr.Rank(), ranks)
			h := expect.Value(NewHybrid(1)(comm.EmulateNodes(tr, nodes), tuples.HostTuples))(t).(*Hybrid[csr.Pos32])
			for i := range int64(3) {
				expect.NoError(t, expect.Err(h.Search(p.KeyCandidate(i)%h.Layout().Vertices())))
			}
			g := h.g
			replicated := 64 + int(float64(g.Stride)/8/math.Sqrt(float64(ranks/2-1))) // of each rank (ADR 28)
			bits := g.Stride + ranks*replicated + len(g.Cols)
			if len(h.visited) > bits/64+1 || cap(h.before) != cap(h.visited) {
				t.Errorf("rank %d has %d words per bitmap for %d vertices, %d edges, %d ranks with %d replicated vertices",
					tr.Rank(), len(h.visited), g.Stride, len(g.Cols), ranks, replicated)
			}
			x := held{seen: map[uintptr]bool{}}
			x.count(reflect.ValueOf(h))
			own := 100*int64(g.Connected()) + 16*int64(len(g.IDOf)) + 8*int64(cap(g.Cols)) + 16<<10
			others := int64(ranks) * int64(tableBytes+3*replicated/8)
			if x.bytes > own+others {
				t.Errorf("rank %d has %d bytes, at most %d for its own graph and %d for %d ranks", tr.Rank(), x.bytes, own, others,
					ranks)
			}
		})
	}
}
