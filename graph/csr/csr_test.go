// SPDX-License-Identifier: Apache-2.0

package csr_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// The tests compare the structure with maps made from the tuples.

// build returns the structures of n ranks of two workers.
func build[P csr.Pos](t testing.TB, edges []graph.Edge, n int) []*csr.Graph[P] {
	return buildReplicating[P](t, graph.HostTuples{Edges: edges}, n, math.MaxInt)
}

// buildReplicating is build with a maximum of replicated ids per rank.
func buildReplicating[P csr.Pos](t testing.TB, list graph.HostTuples, n, replicated int) []*csr.Graph[P] {
	parts := make([]*csr.Graph[P], n)
	enginetest.OnRanks(t, n, func(t testing.TB, tr comm.Transport) {
		b := expect.Value(csr.Start(tr, enginetest.Share(list, tr), 2))(t)
		parts[tr.Rank()] = expect.Value(csr.Finish[P](b, min(replicated, b.Order().Stride)))(t)
	})
	return parts
}

func TestBuild(t *testing.T) {
	expect.Set(t, csr.MarksLimit, func(int) int { return 40 }) // several passes, each for a few ranks
	expect.Set(t, csr.SharedLabels, 100)
	expect.Set(t, csr.BlockEnds, 200)
	expect.Set(t, csr.DealerShare, 1<<40)
	expect.Set(t, csr.SorterEnds, 600)
	t.Run("32 bits", testBuild[csr.Pos32])
	t.Run("64 bits", testBuild[csr.Pos64])
}

func testBuild[P csr.Pos](t *testing.T) {
	_, official := enginetest.Official(9, 0, 1)
	cases := map[string][]graph.Edge{
		"no tuple":        nil,
		"only self-loops": {graph.NewEdge(3, 3), graph.NewEdge(0, 0)},
		"one edge":        {graph.NewEdge(5, 0)},
		"highest second":  {graph.NewEdge(0, 5), graph.NewEdge(1, 0)},
		"highest last":    {graph.NewEdge(0, 1), graph.NewEdge(1, 2), graph.NewEdge(2, 6)},
		"highest alone":   {graph.NewEdge(0, 1), graph.NewEdge(9, 9), graph.NewEdge(1, 2)},
		"duplicates":      {graph.NewEdge(1, 0), graph.NewEdge(0, 1), graph.NewEdge(1, 0), graph.NewEdge(2, 1)},
		"pairs":           {graph.NewEdge(0, 1), graph.NewEdge(7, 3), graph.NewEdge(4, 2)},
		"star":            {graph.NewEdge(3, 0), graph.NewEdge(1, 3), graph.NewEdge(3, 2), graph.NewEdge(3, 4)},
		"leaf below cut":  {graph.NewEdge(0, 2), graph.NewEdge(2, 4), graph.NewEdge(4, 0), graph.NewEdge(1, 3)},
		"random":          bfstest.HubsAndLeaves(1, 300, 2000),
		"sparse":          bfstest.HubsAndLeaves(2, 5000, 900),
		"official":        official.Edges,
	}
	for name, edges := range cases {
		want := plain(edges)
		sources, targets := plainArcs(edges)
		for _, ranks := range []int{1, 2, 3, 4, 7} {
			for _, replicated := range []int{0, csr.WordBits, math.MaxInt} {
				t.Run(fmt.Sprintf("%s/ranks=%d/replicated=%d", name, ranks, replicated), func(t *testing.T) {
					parts := buildReplicating[P](t, graph.HostTuples{Edges: edges}, ranks, replicated)
					checkGraph(t, parts, edges, want)
					checkInner(t, parts, want)
				})
				t.Run(fmt.Sprintf("arcs of %s/ranks=%d/replicated=%d", name, ranks, replicated), func(t *testing.T) {
					parts := buildReplicating[P](t, graph.HostTuples{Edges: edges, Arcs: true}, ranks, replicated)
					checkGraph(t, parts, edges, sources)
					for rank, g := range parts { // without separate leaves
						expect.Equal(t, g.OwnInner() == g.Connected() && g.Directed(), true, "directed, on rank", rank)
					}
					checkRowsOf(t, parts, func(g *csr.Graph[P]) *csr.Adjacency[P] { return g.Out }, targets)
				})
			}
		}
	}
}

func checkGraph[P csr.Pos](t *testing.T, parts []*csr.Graph[P], edges []graph.Edge, want plainGraph) {
	t.Helper()
	checkVertices(t, parts, edges)
	checkNumbering(t, parts, want)
	checkRows(t, parts, want)
	checkIndices(t, parts)
}

// checkVertices: the number of vertices is the highest label of all tuples plus one. Specification, "Kernel 1": kernel
// 1 does not get this number.
func checkVertices[P csr.Pos](t *testing.T, parts []*csr.Graph[P], edges []graph.Edge) {
	t.Helper()
	highest := graph.NoParent
	for _, e := range edges {
		highest = max(highest, e.U(), e.V())
	}
	for r, g := range parts {
		n := g.Layout.Vertices()
		expect.Must(t, n == highest+1 && len(g.IDOf) == g.Layout.Count(r),
			"rank %d: %d vertices, %d of them here, want %d", r, n, len(g.IDOf), highest+1)
	}
}

// checkNumbering: exactly the non-isolated vertices have ids, in order of falling degree, then label. A rank knows the
// labels of all its own vertices, also leaves, without a message.
func checkNumbering[P csr.Pos](t *testing.T, parts []*csr.Graph[P], want plainGraph) {
	t.Helper()
	total := 0
	for r, g := range parts {
		total += g.Connected()
		labels := make([]graph.Global, g.Connected())
		for h := range labels {
			labels[h] = g.Label(csr.ID(h))
			expect.Equal(t, g.IDOf[g.LocalOf[h]], csr.ID(h), "rank", r, "id", h)
			label, known := g.KnownLabel(g.Index(csr.ID(h)))
			owner, id := g.Owner(g.Index(csr.ID(h)))
			expect.That(t, known && label == labels[h] && owner == r && id == csr.ID(h),
				"rank %d: id %d has label %d, known: %v, at the position of %d of rank %d", r, h, label, known, id, owner)
		}
		inOrder := slices.IsSortedFunc(labels, func(a, b graph.Global) int {
			return cmp.Or(cmp.Compare(want.degree[b], want.degree[a]), cmp.Compare(a, b))
		})
		expect.That(t, inOrder, "rank %d: labels %v are not in degree order", r, labels)
		for l, h := range g.IDOf {
			label := g.Layout.Global(r, graph.Local(l))
			expect.Equal(t, h != csr.NoID, want.degree[label] > 0, "vertex", label, "of degree", want.degree[label], "has id", h)
		}
	}
	expect.Equal(t, total, len(want.degree))
}

// checkInner: the first id of leaves is the highest number of vertices with two tuple ends or more of a rank. Positions
// are unique, and non-leaf vertices have the lowest ones.
func checkInner[P csr.Pos](t *testing.T, parts []*csr.Graph[P], want plainGraph) {
	t.Helper()
	inner := 0
	for _, g := range parts {
		mine := 0
		for h := range g.Connected() {
			if want.degree[g.Label(csr.ID(h))] >= 2 {
				mine++
			}
		}
		inner = max(inner, mine)
	}
	positions := map[int]bool{}
	for r, g := range parts {
		expect.Equal(t, []int{g.Inner, g.OwnInner()}, []int{inner, min(inner, g.Connected())}, "non-leaf vertices, rank", r)
		expect.Must(t, g.Stride%csr.WordBits == 0 && g.Inner <= g.Stride && g.Stride == parts[0].Stride,
			"rank %d: stride %d for %d vertices", r, g.Stride, g.Inner)
		for h := range g.Connected() {
			p := g.Position(r, csr.ID(h))
			owner, id := g.Vertex(p)
			expect.That(t, !positions[p] && p != g.Positions() && (p < g.Positions()) == (h < inner) && owner == r &&
				id == csr.ID(h), "rank %d: id %d is at %d of %d, which is of %d of rank %d", r, h, p, g.Positions(), id, owner)
			positions[p] = true
		}
	}
}

// checkIndices: exactly a rank's own vertices, replicated vertices, leaves, and vertices in its rows have an index.
// Indices are unique; for non-leaf vertices they are below None, and parts are in the order of ranks.
func checkIndices[P csr.Pos](t *testing.T, parts []*csr.Graph[P]) {
	t.Helper()
	for r, g := range parts {
		named := map[[2]int]bool{}
		for h := range g.Connected() {
			for _, p := range slices.Concat(g.Row(csr.ID(h)), g.Out.Row(csr.ID(h))) {
				owner, id := g.Owner(p)
				named[[2]int{owner, int(id)}] = true
			}
		}
		seen, ghosts := map[P]bool{g.None(): true}, 0
		for owner, other := range parts {
			for h := range other.Connected() {
				p, has := g.Find(owner, csr.ID(h))
				inner, replicated, own := h < g.Inner, h < g.Replicated, owner == r
				expect.Equal(t, has, !inner || replicated || own || named[[2]int{owner, h}], "rank", r, "id", h, "of rank",
					owner, "has an index")
				if !has {
					continue
				}
				back, id := g.Owner(p)
				expect.That(t, !seen[p] && back == owner && id == csr.ID(h) && inner == (p < g.None()),
					"rank %d: id %d of rank %d has index %d, of %d of rank %d", r, h, owner, p, id, back)
				from, to := g.Part(owner)
				expect.That(t, !inner || !replicated && !own || int(p) == from+h && int(p) < to,
					"rank %d: id %d of rank %d has index %d; its part begins at %d", r, h, owner, p, from)
				ghost := inner && !replicated && !own
				expect.That(t, g.IsGhost(p) == ghost && g.IsReplicated(p) == (inner && replicated),
					"rank %d: id %d of rank %d: ghost %v, replicated %v", r, h, owner, g.IsGhost(p), g.IsReplicated(p))
				if ghost {
					ghosts++
				}
				seen[p] = true
			}
		}
		expect.Equal(t, int(g.None()), len(parts)*g.Replicated+g.Stride-g.Replicated+ghosts, "rank", r, "None is",
			g.None(), ghosts, "ghosts")
	}
}

// checkRowsOf: each row has the vertex's neighbours, each once, by id, then rank; non-leaf rows have no leaves.
func checkRowsOf[P csr.Pos](t *testing.T, parts []*csr.Graph[P], of func(*csr.Graph[P]) *csr.Adjacency[P],
	want plainGraph) {
	t.Helper()
	for r, g := range parts {
		for h := range g.Connected() {
			v := g.Label(csr.ID(h))
			row := of(g).Row(csr.ID(h))
			order := func(a, b P) int {
				ra, ha := g.Owner(a)
				rb, hb := g.Owner(b)
				return cmp.Or(cmp.Compare(ha, hb), cmp.Compare(ra, rb))
			}
			expect.That(t, slices.IsSortedFunc(row, order), "rank %d: row of %d is not in order: %v", r, v, row)
			got := map[graph.Global]bool{}
			for _, p := range row {
				owner, id := g.Owner(p)
				got[parts[owner].Label(id)] = true
			}
			neighbours := maps.Clone(want.neighbours[v])
			maps.DeleteFunc(neighbours, func(u graph.Global, _ bool) bool { return h < g.Inner && isLeaf(parts, u) })
			expect.That(t, len(got) == len(row) && maps.Equal(got, neighbours), "row of %d has %v, want %v", v, got, neighbours)
		}
	}
}

// checkRows checks the rows, and the arrays of first and second neighbours.
func checkRows[P csr.Pos](t *testing.T, parts []*csr.Graph[P], want plainGraph) {
	t.Helper()
	checkRowsOf(t, parts, func(g *csr.Graph[P]) *csr.Adjacency[P] { return &g.Adjacency }, want)
	for r, g := range parts {
		for h := range g.Connected() {
			v := g.Label(csr.ID(h))
			row := g.Row(csr.ID(h))
			first, label := g.None(), graph.NoParent
			if len(row) > 0 {
				owner, id := g.Owner(row[0])
				label = parts[owner].Label(id)
				if !isLeaf(parts, label) {
					first = row[0]
				}
			}
			if h < g.Inner {
				second := g.None()
				if len(row) > 1 {
					second = row[1]
				}
				expect.Equal(t, g.Second[h], second, "second neighbour of", v)
			}
			expect.That(t, g.First[h] == first && g.FirstLabel.At(g.LocalOf[h]) == label,
				"first neighbour of %d is at %d with label %d", v, g.First[h], g.FirstLabel.At(g.LocalOf[h]))
		}
		for l, h := range g.IDOf {
			expect.That(t, h != csr.NoID || g.FirstLabel.At(graph.Local(l)) == graph.NoParent,
				"rank %d: local id %d has no edge but first neighbour %d", r, l, g.FirstLabel.At(graph.Local(l)))
		}
	}
}

// isLeaf reports whether a vertex is a leaf by its id.
func isLeaf[P csr.Pos](parts []*csr.Graph[P], v graph.Global) bool {
	g := parts[parts[0].Layout.Owner(v)]
	return int(g.IDOf[g.Layout.Local(v)]) >= g.Inner
}

// hugePage is the address space that is unused before each large array. The last page is partly unused.
const hugePage = 2 << 20

// The bytes that Build allocates in total are below the estimate, whether workers sort all blocks or none in memory of
// their own; in official graphs they are below 3.3 times the structure, without huge pages of four arrays,
// and without 4 bytes per end that are allocated again if positions are wider than labels.
func TestMemory(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "the race detector takes minutes for it")
	for _, ends := range []int{*csr.SorterEnds, 1 << 10} {
		expect.Set(t, csr.SorterEnds, ends)
		t.Run(fmt.Sprintf("sorted by workers=%d/32 bits", ends), testMemory[csr.Pos32])
		t.Run(fmt.Sprintf("sorted by workers=%d/64 bits", ends), testMemory[csr.Pos64])
	}
}

func testMemory[P csr.Pos](t *testing.T) {
	official, tuples := enginetest.Official(17, 0, 1)
	star := make([]graph.Edge, 1<<20)
	for i := range star {
		star[i] = graph.NewEdge(1, graph.Global(2*i))
	}
	ids64 := unsafe.Sizeof(*new(P)) == 8
	n := official.Edges()
	allocated, bytes := allocatedBy[P](t, tuples.Edges, 1, graph.Share{Ranks: 1, Vertices: int64(official.Vertices()),
		Tuples: n, Ends: 2 * n, IDs64: ids64})
	limit := bytes*33/10 + 2*4*hugePage
	if ids64 {
		limit += 4 * 2 * n
	}
	expect.That(t, allocated <= limit, "Build allocated %d bytes for a structure of %d, limit %d", allocated, bytes, limit)
	m := int64(len(star))
	allocatedBy[P](t, star, 2, graph.Share{Ranks: 2, Vertices: m, Tuples: m / 2, Ends: m, IDs64: ids64})
}

// allocatedBy returns the bytes that Build allocates in total, and the size of the structure, on all ranks, each with
// at most this share. It compares them with the estimates.
func allocatedBy[P csr.Pos](t *testing.T, edges []graph.Edge, ranks int, share graph.Share) (allocated, bytes int64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	parts := build[P](t, edges, ranks)
	runtime.ReadMemStats(&after)
	allocated = int64(after.TotalAlloc - before.TotalAlloc)
	for _, part := range parts {
		bytes += part.Bytes()
	}
	structure, building := csr.Memory(share)
	structure, building = structure*int64(ranks), building*int64(ranks)
	expect.That(t, allocated <= structure+building+int64(ranks)*12*hugePage && bytes <= structure,
		"Build allocated %d bytes for a structure of %d, the estimates are %d and %d", allocated, bytes, structure+building,
		structure)
	t.Logf("allocated %d bytes, structure %d, estimates %d and %d", allocated, bytes, structure+building, structure)
	return allocated, bytes
}

// Labels come from the vertices' owners, for more indices than a worker takes at a time.
func TestLabels(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		parts := build[csr.Pos32](t, bfstest.HubsAndLeaves(1, 3000, 9000), ranks)
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			labels := csr.NewLabels(parts[tr.Rank()], tr, 3)
			indices, want := someIndices(parts, uint64(tr.Rank()))
			index := func(i int) csr.Pos32 { return indices[i] }
			expect.NoError(t, labels.Resolve(len(indices), index, func(i int, label graph.Global) {
				expect.Equal(t, label, want[i], ranks, "ranks: index", indices[i], "is label")
			}))
		})
	}
}

// someIndices returns random indices of vertices of all ranks, and their labels.
func someIndices(parts []*csr.Graph[csr.Pos32], seed uint64) (indices []csr.Pos32, labels []graph.Global) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range 5000 {
		g := parts[r.IntN(len(parts))]
		h := csr.ID(r.IntN(g.OwnInner()))
		indices, labels = append(indices, g.Index(h)), append(labels, g.Label(h))
	}
	return indices, labels
}

// plainGraph is the reference: neighbours without duplicates, degrees with them.
type plainGraph struct {
	neighbours map[graph.Global]map[graph.Global]bool
	degree     map[graph.Global]int
}

func plain(edges []graph.Edge) plainGraph {
	g := plainGraph{map[graph.Global]map[graph.Global]bool{}, enginetest.Ends(edges)}
	for _, e := range edges {
		if e.U() != e.V() {
			g.add(e.U(), e.V())
			g.add(e.V(), e.U())
		}
	}
	return g
}

func (g plainGraph) add(u, v graph.Global) {
	if g.neighbours[u] == nil {
		g.neighbours[u] = map[graph.Global]bool{}
	}
	g.neighbours[u][v] = true
}

// plainArcs returns the references of rows of sources and of targets. Degrees count arcs in both directions.
func plainArcs(edges []graph.Edge) (sources, targets plainGraph) {
	sources, targets = plain(edges), plain(edges)
	clear(sources.neighbours)
	clear(targets.neighbours)
	for _, e := range edges {
		if e.U() != e.V() {
			sources.add(e.V(), e.U())
			targets.add(e.U(), e.V())
		}
	}
	return sources, targets
}
