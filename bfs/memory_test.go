package bfs

import (
	"fmt"
	"math"
	"reflect"
	"sync/atomic"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/kronecker"
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

// inTwos launches ranks, two per node.
func inTwos(ranks int, fn func(comm.Transport) error) error {
	nodes := make([]int, ranks)
	for r := range nodes {
		nodes[r] = r / 2
	}
	return comm.Loopback(ranks, func(t comm.Transport) error { return fn(comm.EmulateNodes(t, nodes)) })
}

// searched returns the engine of a rank after a few searches of an official graph.
func searched(t comm.Transport, p kronecker.Params) (*Hybrid[csr.Pos32], error) {
	lo := p.Edges() * int64(t.Rank()) / int64(t.Size())
	hi := p.Edges() * int64(t.Rank()+1) / int64(t.Size())
	tuples := make(graph.HostTuples, hi-lo)
	p.Fill(lo, tuples)
	e, err := NewHybrid(1)(t, tuples)
	if err != nil {
		return nil, err
	}
	h := e.(*Hybrid[csr.Pos32])
	for i := range int64(3) {
		if _, err := h.Search(p.KeyCandidate(i) % h.Layout().Vertices()); err != nil {
			return nil, err
		}
	}
	return h, nil
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
		p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
		var most, ghosts atomic.Int64
		err := inTwos(ranks, func(tr comm.Transport) error {
			h, err := searched(tr, p)
			if err != nil {
				return err
			}
			g := h.g
			replicated := 64 + int(float64(g.Stride)/8/math.Sqrt(float64(ranks/2-1))) // of each rank (ADR 28)
			bits := g.Stride + ranks*replicated + len(g.Cols)
			if len(h.visited) > bits/64+1 || cap(h.before) != cap(h.visited) {
				return fmt.Errorf("rank %d has %d words per bitmap for %d vertices, %d edges, %d ranks with %d replicated vertices",
					tr.Rank(), len(h.visited), g.Stride, len(g.Cols), ranks, replicated)
			}
			x := held{seen: map[uintptr]bool{}}
			x.count(reflect.ValueOf(h))
			own := 100*int64(g.Connected()) + 16*int64(len(g.IDOf)) + 8*int64(cap(g.Cols)) + 16<<10
			others := int64(ranks) * int64(tableBytes+3*replicated/8)
			if x.bytes > own+others {
				return fmt.Errorf("rank %d has %d bytes, at most %d for its own graph and %d for %d ranks", tr.Rank(), x.bytes,
					own, others, ranks)
			}
			if tr.Rank() == 1 {
				most.Store(x.bytes)
				ghosts.Store(int64(g.None()) - int64(g.Stride+(ranks-1)*g.Replicated))
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", ranks, err)
		}
		t.Logf("%d ranks: %d bytes on one, %d ghosts", ranks, most.Load(), ghosts.Load())
	}
}
