// SPDX-License-Identifier: Apache-2.0

package csr_test

import (
	"flag"
	"math"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/partition"
)

// far enables searches with bitmaps of more than 2^32 bits: 5 GiB, minutes.
var far = flag.Bool("far", false, "test non-leaf vertices whose positions exceed 32 bits")

// leaveGaps leaves positions unused until the test ends.
func leaveGaps(t *testing.T, inner, leaves int) {
	t.Cleanup(func() { csr.Gaps.Inner, csr.Gaps.Leaves = 0, 0 })
	csr.Gaps.Inner, csr.Gaps.Leaves = inner, leaves
}

// positionsOf returns a rank's graph of a scale, with positions and without vertices.
func positionsOf(scale, ranks, rank int) csr.Graph[csr.Pos64] {
	p := kronecker.Params{Scale: scale, EdgeFactor: 16}
	ids := int(p.Connected()) / ranks
	inner := ids * 2 / 3
	return csr.Graph[csr.Pos64]{Order: csr.OrderOf(csr.Order{
		Layout: partition.NewCyclic(p.Vertices(), ranks), Rank: rank,
		Inner: inner, Stride: (inner/csr.WordBits + 1) * csr.WordBits,
	}, ids-inner)}
}

// Up to class huge, positions are unique, in the order of ranks, and convert back to vertices.
func TestPositionsOfLargeGraphs(t *testing.T) {
	for _, c := range []struct{ scale, ranks int }{{33, 4}, {36, 16}, {39, 1000}, {42, 1025}, {42, 1 << 20}} {
		g := positionsOf(c.scale, c.ranks, c.ranks-1)
		expect.Equal(t, g.IDs64(), c.scale > 33, "scale", c.scale)
		inner, leaves := csr.Pos64(0), g.None()
		for _, rank := range []int{0, 1, c.ranks / 2, c.ranks - 1} {
			for _, h := range []csr.ID{0, csr.ID(g.Inner / 2), csr.ID(g.Inner - 1)} {
				inner = inOrder(t, &g, inner, rank, h)
			}
			leaves = inOrder(t, &g, leaves, rank, csr.ID(g.Inner))
			leaves = inOrder(t, &g, leaves, rank, csr.ID(g.Inner+g.Inner/4))
		}
		expect.That(t, inner < g.None() && int(g.None()) == g.Positions() && uint64(leaves) < 2*uint64(g.None()),
			"scale %d: inner vertices end at %d, leaves at %d; None is %d of %d positions", c.scale, inner, leaves, g.None(),
			g.Positions())
	}
}

// inOrder checks one vertex and returns its position, which must not be below another one.
func inOrder(t *testing.T, g *csr.Graph[csr.Pos64], before csr.Pos64, rank int, h csr.ID) csr.Pos64 {
	t.Helper()
	p, _ := g.Find(rank, h)
	expect.That(t, p >= before, "id %d of rank %d is at %d, before %d", h, rank, p, before)
	r, back := g.Owner(p)
	expect.That(t, r == rank && back == h && g.Position(rank, h) == int(p),
		"id %d of rank %d is at %d, where %d of %d is", h, rank, p, back, r)
	return p
}

// Positions below 2^32-1 need 32 bits.
func TestBoundOf32Bits(t *testing.T) {
	for positions, ids64 := range map[int]bool{math.MaxUint32 - 1: false, math.MaxUint32: true} {
		o := csr.OrderOf(csr.Order{Layout: partition.NewCyclic(1<<33, 1), Stride: 1 << 31}, positions-1<<31)
		expect.Equal(t, o.IDs64(), ids64, positions)
	}
}

// Section "Kernel 1": the tuples determine the number of vertices, of which one rank owns at most 2^32-1.
func TestLabelsBeyondTheRanksAreRefused(t *testing.T) {
	const refusal = "needs at least 3 ranks"
	for label, want := range map[graph.Global]string{2*graph.MaxLocals - 1: "", 2 * graph.MaxLocals: refusal} {
		err := comm.Loopback(2, func(tr comm.Transport) error {
			return expect.Err(csr.Discover(tr, []graph.Edge{graph.NewEdge(0, label)}, 1))
		})
		expect.Error(t, err, want, "label", label)
	}
}

// A graph whose positions exceed 32 bits is built and searched with 64-bit positions, which the engine chooses.
func TestPositionsBeyond32Bits(t *testing.T) {
	leaveGaps(t, 0, 1<<32+5)
	for name, edges := range map[string][]graph.Edge{
		"sparse": bfstest.HubsAndLeaves(2, 5000, 900), "pairs": bfstest.Tuples(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
	} {
		want := plain(edges)
		parts := build[csr.Pos64](t, edges, 3)
		checkNumbering(t, parts, want)
		checkInner(t, parts, want)
		checkRows(t, parts, want)
		last := parts[2].Index(csr.ID(parts[2].Connected() - 1))
		expect.That(t, parts[2].Connected() <= parts[2].Inner || last > math.MaxUint32,
			"%s: the last leaf is at %d, which fits into 32 bits", name, last)
	}
	bfstest.Run(t, bfs.NewHybrid(2), comm.Loopback, 3)
}

// Bitmaps and messages with positions of non-leaf vertices beyond 32 bits.
func TestInnerBeyond32Bits(t *testing.T) {
	expect.SkipIf(t, !*far, "takes 5 GiB and minutes: go test ./graph/csr -run Inner -far")
	leaveGaps(t, 1<<31, 0)
	edges := bfstest.HubsAndLeaves(1, 300, 2000)
	c := bfstest.Case{Name: "random", Edges: edges, Roots: []graph.Global{edges[0].U(), edges[0].V()}}
	expect.NoError(t, comm.Loopback(3, func(tr comm.Transport) error { return bfstest.Check(tr, bfs.NewHybrid(1), c) }))
}
