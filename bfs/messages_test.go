// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// Ranks query no labels of parents if they know all, and few if they know 1/8, for the highest degrees.
func TestLabelsOfParentsAreKnown(t *testing.T) {
	for ranks, part := range map[int]int{4: 1 << 30, 32: 20} {
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			p, tuples := enginetest.Official(12, tr.Rank(), ranks)
			h := expect.Value(NewHybrid(2)(tr, tuples))(t).(*Hybrid[csr.Pos32])
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

func TestDamagedQueries(t *testing.T) {
	for meaning, message := range map[string][]byte{
		"a position out of range":    {5, 4},
		"a number that does not end": {0x80},
		"a gap that is too large":    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
	} {
		expect.Equal(t, eachQuery(message, 10, func(csr.Pos32) {}) != nil, true, meaning, "is refused")
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
		expect.Equal(t, expect.Err(read(message, 9)) != nil, true, meaning, "is refused")
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
		nodes := enginetest.NodesOf(slices.Repeat([]int{2}, ranks/2)...)
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			p, tuples := enginetest.Official(scale, tr.Rank(), ranks)
			h := expect.Value(NewHybrid(1)(comm.EmulateNodes(tr, nodes), tuples))(t).(*Hybrid[csr.Pos32])
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
