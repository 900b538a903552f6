// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/kronecker"
)

// buildWithin builds a graph without weights within limits.
func buildWithin(t device.Transport, given *Tuples, l limits) (*cuda.Graph, error) {
	return construct(&construction{t: t, given: given, limits: l})
}

// hostGraph is one rank's share of a graph in host memory.
type hostGraph struct {
	shift                  int
	rows                   []uint64
	cols, labels, localIDs []uint32
}

// readGraph copies a share from the device. 64-bit labels and ids become single words.
func readGraph(g *cuda.Graph) hostGraph {
	h := hostGraph{
		shift: g.Shift(), rows: make([]uint64, g.NonIsolated()+1), cols: make([]uint32, g.Edges()),
		labels: make([]uint32, g.NonIsolated()), localIDs: make([]uint32, g.Owned()),
	}
	gputest.Check(cuda.Read(h.rows, g.Rows(), 0), cuda.Read(h.cols, g.Cols(), 0),
		cuda.Read(h.labels, g.Labels(), 0), cuda.Read(h.localIDs, g.LocalIDs(), 0))
	if !g.Labels64() {
		return h
	}
	for i := range h.labels {
		h.labels[i] = h.labels[i]*uint32(g.Ranks()) + uint32(g.Rank())
	}
	if !g.IDs64() {
		return h
	}
	ranks := make([]uint16, len(h.cols))
	gputest.Check(cuda.Read(ranks, g.ColRanks(), 0))
	for i, rank := range ranks {
		h.cols[i] |= uint32(rank) << h.shift
	}
	return h
}

// builds is a variant of a build.
type builds struct {
	limits
	in     Storage // of tuples
	onLast bool    // the last rank has all tuples
}

// compare builds a graph and compares each rank's share with the reference implementation.
func (b builds) compare(t *testing.T, edges []graph.Edge, ranks int) {
	t.Helper()
	want := order(edges, ranks)
	err := gputest.OnSlowRanks(ranks, func(s device.Transport) {
		rank := s.Host().Rank()
		mine := gputest.Share(edges, s.Host())
		if b.onLast {
			mine.Edges = edges[:len(edges)*((rank+1)/ranks)]
		}
		g := gputest.Must(buildWithin(s, gputest.Must(Placed(s.Device(), mine, b.in)), b.limits))
		gputest.Check(s.Device().Synchronize())
		got, want := readGraph(g), want[rank]
		if len(want.labels) == 0 && b.round == 0 {
			got.rows = want.rows // unused by a graph without edges on one rank
		}
		owned := int(g.Vertices()+int64(ranks-1-rank)) / ranks
		expect.Equal(t, []int{owned, got.shift}, []int{len(want.localIDs), want.shift}, "vertices and shift of rank", rank)
		equalWords(t, rank, "labels", got.labels, want.labels)
		equalWords(t, rank, "local ids", got.localIDs, want.localIDs)
		equalWords(t, rank, "rows", got.rows, want.rows)
		equalWords(t, rank, "cols", got.cols, want.cols)
	})
	expect.NoError(t, err)
}

func equalWords[T uint32 | uint64](t *testing.T, rank int, name string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("rank %d: %d %s, want %d", rank, len(got), name, len(want))
		return
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("rank %d, %s: number %d is %d, want %d", rank, name, i, got[i], want[i])
			return
		}
	}
}

// shareGraphs are graphs for several ranks: some ranks have no ends of tuples or few, and one vertex has all.
func shareGraphs() []bfstest.Case {
	star := make([]graph.Edge, 3000)
	for i := range star {
		star[i] = graph.NewEdge(5, graph.Global(i))
	}
	return append(gputest.Graphs(),
		bfstest.Case{Name: "no tuple"},
		bfstest.Case{Name: "only self-loops", Edges: bfstest.Tuples(3, 3, 0, 0, 3, 3)},
		bfstest.Case{Name: "fewer labels than ranks", Edges: bfstest.Tuples(1, 0, 0, 1, 1, 1)},
		bfstest.Case{Name: "one rank has no edge", Edges: bfstest.Tuples(0, 2, 2, 0, 4, 2, 1, 1)},
		bfstest.Case{Name: "one rank has all the ends of one kind", Edges: star})
}

// The graph of one rank alone equals the reference, and so does every share that ranks build with messages.
func TestSharesEqualTheReference(t *testing.T) {
	alone, several := []int{1}, []int{1, 2, 3, 4, 7}
	for _, how := range []struct {
		builds
		ranks []int
	}{
		{builds{limits{0, 1 << 30, false, 0}, Storage{}, false}, alone}, // one piece of rows
		{builds{limits{0, 1 << 24, false, 0}, Storage{}, false}, alone}, // several in large graphs
		{builds{limits{0, 1 << 30, false, 0}, Storage{Staged: 1000}, false}, alone},
		{builds{limits{0, 1 << 24, false, 0}, Storage{Staged: 1000}, false}, alone},
		{builds{limits{RoundTuples, math.MaxInt64, false, 0}, Storage{}, false}, several}, // one round, one piece
		{builds{limits{1000, 1 << 19, false, 0}, Storage{}, false}, several},              // several of both in large graphs
		{builds{limits{1000, 1 << 19, false, 0}, Storage{Staged: 777}, false}, several},   // rounds of host pieces
		{builds{limits{100, math.MaxInt64, false, 0}, Storage{Staged: 5000}, false}, several},
		{builds{limits{RoundTuples, math.MaxInt64, true, 0}, Storage{}, false}, several},
		{builds{limits{1000, 1 << 19, true, 0}, Storage{Staged: 777}, false}, several},
		{builds{limits{0, 1 << 24, false, 0}, Storage{Staged: 1000, Generated: true}, false}, alone},
		{builds{limits{1000, 1 << 19, false, 0}, Storage{Staged: 777, Generated: true}, false}, several},
		{builds{limits{5000, math.MaxInt64, false, 0}, Storage{}, true}, []int{3}}, // all tuples on one rank
		{builds{limits{5000, math.MaxInt64, false, 0}, Storage{Staged: 4097}, true}, []int{3}},
	} {
		graphs, tables := shareGraphs(), []int64{math.MaxInt64}
		if how.round == 0 {
			graphs = gputest.Graphs()
		}
		if how.long {
			tables = append(tables, 0)
		}
		for _, ranks := range how.ranks {
			for _, how.table = range tables {
				for _, c := range graphs {
					name := fmt.Sprintf("%d ranks, %+v, %s, %d tuples", ranks, how.builds, c.Name, len(c.Edges))
					t.Run(name, func(t *testing.T) { how.compare(t, c.Edges, ranks) })
				}
			}
		}
	}
}

// The number of vertices is the highest label of the tuples plus one. Specification, "Kernel 1": it is not given. No
// tuple of this graph of scale 8 has a label above 252.
func TestKernel1FindsTheNumberOfVertices(t *testing.T) {
	p := kronecker.Params{Scale: 8, EdgeFactor: 1, Seed1: 2, Seed2: 3}
	edges := make([]graph.Edge, p.Edges())
	p.Fill(0, edges, nil)
	for _, ranks := range []int{1, 2, 3} {
		expect.NoError(t, gputest.OnSlowRanks(ranks, func(s device.Transport) {
			given := gputest.Must(OnDevice(s.Device(), gputest.Share(edges, s.Host())))
			g := gputest.Must(buildWithin(s, given, limits{RoundTuples, math.MaxInt64, false, math.MaxInt64}))
			expect.Equal(t, g.Vertices(), 253, ranks, "ranks", "vertices")
		}))
	}
}

// If one rank lacks memory for its longest row, all ranks return an error.
func TestShortMemoryEndsAllRanks(t *testing.T) {
	star := make([]graph.Edge, 1<<17)
	for i := range star {
		star[i] = graph.NewEdge(1, graph.Global(i)+2)
	}
	ended := make([]error, 3)
	err := gputest.OnSlowRanks(len(ended), func(s device.Transport) {
		given := gputest.Must(OnDevice(s.Device(), gputest.Share(star, s.Host())))
		_, ended[s.Host().Rank()] = buildWithin(s, given, limits{RoundTuples, 1 << 19, false, math.MaxInt64})
		gputest.Check(ended[s.Host().Rank()])
	})
	expect.Error(t, err, "choosing rows")
	for rank, err := range ended {
		expect.Error(t, err, "choosing rows", "rank", rank)
	}
}

func TestLabelsThatAreTooHighAreRefused(t *testing.T) {
	for _, c := range []struct {
		highest graph.Global
		ranks   int
	}{{maxOwned, 1}, {MaxIDs32, 2}, {1 << 47, 3}} {
		expect.Error(t, gputest.OnSlowRanks(c.ranks, func(s device.Transport) {
			given := gputest.Must(OnDevice(s.Device(), graph.HostTuples{Edges: []graph.Edge{graph.NewEdge(0, c.highest)}}))
			gputest.Must(buildWithin(s, given, limits{RoundTuples, math.MaxInt64, false, math.MaxInt64}))
		}), "too high", "label", c.highest, "on", c.ranks, "ranks")
	}
}

func TestBitsOfIDs(t *testing.T) {
	for _, c := range []struct {
		most         int64
		ranks, shift int
		ids64        bool
	}{
		{0, 1, 8, false}, {1, 1, 8, false}, {256, 4, 8, false}, {257, 4, 9, false}, {512, 4, 9, false},
		{513, 4, 10, false}, {maxOwned, 1, 31, false}, {1 << 28, 4, 28, false}, {1<<28 + 1, 4, 29, false},
		{1<<30 - 1, 4, 30, false}, {1 << 30, 4, 30, true}, // the highest word means no vertex
		{1 << 22, 1024, 22, true}, {1<<22 - 1, 1024, 22, false}, {1<<22 + 1, 1023, 23, true},
		{maxOwned, 1024, 31, true},
	} {
		shift := cuda.LocalIDBits(c.most)
		expect.Equal(t, shift, c.shift, "shift of", c.most, "vertices on", c.ranks, "ranks")
		expect.Equal(t, needIDs64(c.most, shift, c.ranks), c.ids64, "64-bit ids of", c.most, "vertices on", c.ranks, "ranks")
	}
}

// Every rank queries the labels of its edges' ends, and some ranks query nothing.
func TestLabelLookup(t *testing.T) {
	edges := enginetest.OfficialEdges(10)
	for _, ranks := range []int{1, 2, 3, 4, 7} {
		references := order(edges, ranks)
		for _, capacity := range []int64{0, 1, 1000} {
			for _, inPlace := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d ranks, capacity %d, in place: %v", ranks, capacity, inPlace), func(t *testing.T) {
					expect.NoError(t, gputest.OnSlowRanks(ranks, func(s device.Transport) {
						given := gputest.Must(OnDevice(s.Device(), gputest.Share(edges, s.Host())))
						g := gputest.Must(buildWithin(s, given, limits{RoundTuples, math.MaxInt64, false, math.MaxInt64}))
						ids, want := colsAndLabels(g, references)
						got := labelsOf(s, g, ids, capacity, inPlace)
						gputest.That(slices.Equal(got, want), "rank %d: wrong labels of its %d ids", s.Host().Rank(), len(ids))
					}))
				})
			}
		}
	}
}

// labelsOf looks up the labels of ids, in place or not. capacity is NewLabelLookup's, 0 for LookUpLabels.
// It first looks up nothing, which must have no effect.
func labelsOf(s device.Transport, g *cuda.Graph, ids []uint32, capacity int64, inPlace bool) []uint32 {
	bytes, n := int64(4*len(ids)), int64(len(ids))
	from := gputest.Must(s.Device().Alloc("ids", bytes))
	into := from
	if !inPlace {
		into = gputest.Must(s.Device().Alloc("labels", bytes))
	}
	gputest.Check(cuda.Write(from.Memory, 0, ids))
	words := cuda.IDs{Words: from.Memory}
	if capacity == 0 {
		gputest.Check(LookUpLabels(s, g, words, 0, into.Memory), LookUpLabels(s, g, words, n, into.Memory))
	} else {
		l := gputest.Must(NewLabelLookup(s, capacity))
		gputest.Check(errors.Join(l.LookUp(g, words, 0, into.Memory), l.LookUp(g, words, n, into.Memory), l.Close()))
	}
	labels := make([]uint32, len(ids))
	gputest.Check(s.Device().Synchronize(), cuda.Read(labels, into.Memory, 0))
	return labels
}

// colsAndLabels returns the ids in Cols, with NoVertex in place of every seventh, and their labels in the reference.
// The last of several ranks has none.
func colsAndLabels(g *cuda.Graph, references []hostGraph) (ids, labels []uint32) {
	if g.Rank() > 0 && g.Rank() == len(references)-1 {
		return nil, nil
	}
	own := references[g.Rank()]
	ids = slices.Clone(readGraph(g).cols)
	for i, id := range own.cols {
		labels = append(labels, references[id>>own.shift].labels[id&(1<<own.shift-1)])
		if i%7 == 0 {
			ids[i], labels[i] = cuda.NoVertex, cuda.NoVertex
		}
	}
	return ids, labels
}

// Every kernel of a build is timed by its name and counted, and no kernel after timing is turned off.
func TestKernelsAreTimedByName(t *testing.T) {
	gputest.Alone(t, func(tr device.Transport) {
		d := tr.Device()
		given := gputest.Must(OnDevice(d, graph.HostTuples{Edges: enginetest.OfficialEdges(10)}))
		build := func() map[string]trace.KernelTime {
			gputest.Check(gputest.Must(buildWithin(tr, given, limits{work: 1 << 24})).Free())
			times := map[string]trace.KernelTime{}
			for _, k := range d.KernelTimes() {
				times[k.Name] = k
			}
			return times
		}
		defer d.TimeKernels(false)
		d.TimeKernels(true)
		build()
		times := build()
		for _, name := range []string{
			"find_vertices_kernel", "count_listed_kernel", "sort_by_degree (CUB)", "store_rows_kernel",
		} {
			k := times[name]
			expect.That(t, k.Launches == 2 && k.Seconds > 0, "%s: %d launches, want 2; %g s", name, k.Launches, k.Seconds)
		}
		d.TimeKernels(false)
		expect.Equal(t, len(build()), 0, "times of kernels, with timing off")
	})
}

// The shares of the simple graph add up to the numbers of vertices and edges that maps count.
func TestSimpleGraph(t *testing.T) {
	pairs := make([]graph.Edge, 500) // each of 1000 leaves has a neighbour among them
	for i := range pairs {
		pairs[i] = graph.NewEdge(graph.Global(2*i), graph.Global(2*i+1))
	}
	for _, c := range append(shareGraphs(), bfstest.Case{Name: "pairs", Edges: pairs}) {
		vertices, edges := enginetest.Simple(c.Edges)
		for _, ranks := range []int{1, 3} {
			got := make([][2]int64, ranks)
			err := gputest.OnSlowRanks(ranks, func(s device.Transport) {
				mine := gputest.Must(Placed(s.Device(), gputest.Share(c.Edges, s.Host()), Storage{}))
				g := gputest.Must(Build(s, mine, Options{Labels64: ranks == 3}))
				v, ends, err := g.Simple()
				gputest.Check(err, g.Close())
				got[s.Host().Rank()] = [2]int64{v, ends}
			})
			v, ends := int64(0), int64(0)
			for _, of := range got {
				v, ends = v+of[0], ends+of[1]
			}
			expect.NoError(t, err, c.Name, ranks, "ranks")
			expect.Equal(t, []int64{v, ends}, []int64{vertices, 2 * edges}, c.Name, ranks, "ranks")
		}
	}
}

// reference is the graph of the reference implementation, by label.
type reference struct {
	ranks      int
	degree     map[uint32]int // with duplicates
	neighbours map[uint32]map[uint32]bool
	localID    map[uint32]uint32
	firstLeaf  uint32 // local ids from here on belong to leaves
}

// order is the reference implementation of kernel 1, with sorting and maps. It returns the share of each rank: vertices
// by falling degree class, then by label; rows without duplicates, sorted by local id, then by rank. Leaves are only in
// their own rows.
func order(edges []graph.Edge, ranks int) []hostGraph {
	g := reference{ranks, map[uint32]int{}, map[uint32]map[uint32]bool{}, map[uint32]uint32{}, 0}
	labels := 0
	for _, e := range edges {
		g.join(uint32(e.U()), uint32(e.V()))
		g.join(uint32(e.V()), uint32(e.U()))
		labels = max(labels, int(e.U())+1, int(e.V())+1)
	}
	shares, most := make([]hostGraph, ranks), 1<<8
	for r := range shares {
		shares[r] = g.number(r, labels)
		most = max(most, len(shares[r].labels))
	}
	for r := range shares {
		shares[r].shift = bits.Len(uint(most - 1))
		g.fill(&shares[r])
	}
	return shares
}

// join adds v to the neighbours of u.
func (g *reference) join(u, v uint32) {
	if u == v {
		return
	}
	if g.neighbours[u] == nil {
		g.neighbours[u] = map[uint32]bool{}
	}
	g.neighbours[u][v] = true
	g.degree[u]++
}

// degreeClass returns the class of a degree. Classes begin at each degree below 8, at every second from 8 on, at every
// fourth from 16 and so on, and at every 64th from 256.
func degreeClass(degree int) int {
	class, step := 0, 1
	for begin := 0; begin+step <= degree; class++ {
		begin += step
		if begin >= 8 && begin <= 256 && begin&(begin-1) == 0 {
			step *= 2
		}
	}
	return class
}

// number gives a rank's vertices their local ids.
func (g *reference) number(rank, labels int) hostGraph {
	s := hostGraph{localIDs: slices.Repeat([]uint32{cuda.NoVertex}, (labels+g.ranks-1-rank)/g.ranks)}
	for v := range g.degree {
		if int(v)%g.ranks == rank {
			s.labels = append(s.labels, v)
		}
	}
	slices.SortFunc(s.labels, func(a, b uint32) int {
		return cmp.Or(degreeClass(g.degree[b])-degreeClass(g.degree[a]), cmp.Compare(a, b))
	})
	for h, v := range s.labels {
		g.localID[v], s.localIDs[int(v)/g.ranks] = uint32(h), uint32(h)
		if g.degree[v] > 1 {
			g.firstLeaf = max(g.firstLeaf, uint32(h)+1)
		}
	}
	return s
}

// fill makes the rows of a rank's vertices.
func (g *reference) fill(s *hostGraph) {
	for _, v := range s.labels {
		var row []uint32
		for u := range g.neighbours[v] {
			if g.localID[u] < g.firstLeaf || g.localID[v] >= g.firstLeaf {
				row = append(row, u)
			}
		}
		slices.SortFunc(row, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(g.localID[a], g.localID[b]), int(a)%g.ranks-int(b)%g.ranks)
		})
		s.rows = append(s.rows, uint64(len(s.cols)))
		for _, u := range row {
			s.cols = append(s.cols, u%uint32(g.ranks)<<s.shift|g.localID[u])
		}
	}
	s.rows = append(s.rows, uint64(len(s.cols)))
}
