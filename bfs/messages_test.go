// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
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
			expect.That(t, sums[0] != 0 && sums[1] <= sums[0]/int64(part),
				"%d ranks query %d labels of %d parents", ranks, sums[1], sums[0])
		})
	}
}

// A message updates the older bitmap to the newer one, and is at most one byte longer than the words.
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
		expect.That(t, len(message) <= 1+8*len(now), "density %g: %d bytes for %d words", density, len(message), len(now))
		got := slices.Clone(sent)
		addNew(got, message)
		expect.That(t, slices.Equal(got, now), "density %g: other bits", density)
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

// A rank has memory for its own vertices and edges: structure, state, ghosts, and their bits in bitmaps. For each other
// rank it has a few words and the replicated bits. For a constant number of vertices per rank, only the latter depend
// on the number of ranks.
func TestMemoryDoesNotGrowWithRanks(t *testing.T) {
	expect.Set(t, &bounds.TwoLevelFrom, 0)
	expect.Set(t, &bounds.QueriesFrom, 0)
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
			expect.That(t, len(h.visited) <= bits/64+1 && cap(h.before) == cap(h.visited),
				"rank %d has %d words per bitmap for %d vertices, %d edges, %d ranks with %d replicated vertices", tr.Rank(),
				len(h.visited), g.Stride, len(g.Cols), ranks, replicated)
			x := held{seen: map[uintptr]bool{}}
			x.count(reflect.ValueOf(h))
			own := 100*int64(g.Connected()) + 16*int64(len(g.IDOf)) + 8*int64(cap(g.Cols)) + 16<<10
			others := int64(ranks) * int64(400+3*replicated/8) // 400 of addresses, empty bins and messages, offsets
			expect.That(t, x.bytes <= own+others,
				"rank %d has %d bytes, at most %d for its own graph and %d for %d ranks", tr.Rank(), x.bytes, own, others, ranks)
		})
	}
}
