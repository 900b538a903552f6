// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math"
	"reflect"
	"testing"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

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
