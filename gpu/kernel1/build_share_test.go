//go:build cuda && cgo

package kernel1

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"g500/bfs/bfstest"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
)

// part is one rank's share of a graph in host memory.
type part struct {
	owned                int64
	shift                int
	rows                 []uint64
	cols, labels, hubsOf []uint32
}

// readPart copies a share from the device.
func readPart(g *cuda.Graph) (part, error) {
	p := part{
		owned: g.Owned(), shift: g.Shift(),
		rows: make([]uint64, g.NonIsolated()+1), cols: make([]uint32, g.Edges()),
		labels: make([]uint32, g.NonIsolated()), hubsOf: make([]uint32, g.Owned()),
	}
	err := cuda.Read(p.rows, g.Rows(), 0)
	for _, column := range []struct {
		into []uint32
		from cuda.Memory
	}{{p.cols, g.Cols()}, {p.labels, g.Labels()}, {p.hubsOf, g.LocalIDs()}} {
		if err == nil {
			err = cuda.Read(column.into, column.from, 0)
		}
	}
	if err == nil && g.IDs64() {
		err = p.readRanks(g)
	}
	return p, err
}

// readRanks makes positions and labels of one word of those of a wide graph.
func (p *part) readRanks(g *cuda.Graph) error {
	for i := range p.labels {
		p.labels[i] = p.labels[i]*uint32(g.Ranks()) + uint32(g.Rank())
	}
	ranks := make([]uint16, len(p.cols))
	err := cuda.Read(ranks, g.ColRanks(), 0)
	for i, rank := range ranks {
		p.cols[i] |= uint32(rank) << p.shift
	}
	return err
}

// buildParts builds with messages, on one rank too, from tuples in device memory or, where staged is more than 0, from
// host memory in pieces of so many.
func buildParts(edges []graph.Edge, ranks int, evenly bool, l limits, staged int64) ([]part, error) {
	parts := make([]part, ranks)
	err := gputest.OnRanks(ranks, func(s device.Transport) error {
		mine := gputest.Cut(edges, s.Host().Rank(), ranks, evenly)
		given, err := Placed(s.Device(), graph.HostTuples(mine), staged)
		if err != nil {
			return err
		}
		g, err := buildWithin(s, given, l)
		if err != nil {
			return err
		}
		if err := s.Device().Synchronize(); err != nil {
			return err
		}
		parts[s.Host().Rank()], err = readPart(g)
		return err
	})
	return parts, err
}

// The ends of the tests' graphs: none, few of them on some ranks, and all at one vertex.
func shareGraphs() []bfstest.Case {
	star := make([]graph.Edge, 3000)
	for i := range star {
		star[i] = graph.NewEdge(5, graph.Global(i))
	}
	return append(gputest.Graphs(),
		bfstest.Case{Name: "no tuple"},
		bfstest.Case{Name: "only self-loops", Edges: gputest.Pairs(3, 3, 0, 0, 3, 3)},
		bfstest.Case{Name: "fewer labels than ranks", Edges: gputest.Pairs(1, 0, 0, 1, 1, 1)},
		bfstest.Case{Name: "one rank has no edge", Edges: gputest.Pairs(0, 2, 2, 0, 4, 2, 1, 1)},
		bfstest.Case{Name: "one rank has all the ends of one kind", Edges: star})
}

// Every share equals that of the reference implementation, which has all tuples in one place.
func TestSharesEqualTheReference(t *testing.T) {
	for _, how := range []struct {
		limits
		staged int64
	}{
		{limits{roundTuples, math.MaxInt64, false}, 0}, // one round, one piece
		{limits{1000, 1 << 19, false}, 0},              // many of both where the graph is official
		{limits{1000, 1 << 19, false}, 777},            // rounds are those of host memory
		{limits{100, math.MaxInt64, false}, 5000},
		{limits{roundTuples, math.MaxInt64, true}, 0},
		{limits{1000, 1 << 19, true}, 777},
	} {
		for _, ranks := range []int{1, 2, 3, 4, 7} {
			for _, c := range shareGraphs() {
				name := fmt.Sprintf("%d ranks, rounds of %d, wide %v, staged %d, %s, %d tuples",
					ranks, how.round, how.ids64, how.staged, c.Name, len(c.Edges))
				t.Run(name, func(t *testing.T) {
					parts, err := buildParts(c.Edges, ranks, true, how.limits, how.staged)
					if err != nil {
						t.Fatal(err)
					}
					want := order(c.Edges, ranks)
					for rank, p := range parts {
						comparePart(t, rank, p, want[rank])
					}
				})
			}
		}
	}
}

// It does not matter who brings the tuples.
func TestSharesOfOneRanksTuples(t *testing.T) {
	edges := make([]graph.Edge, gputest.Official(10).Edges())
	gputest.Official(10).Fill(0, edges)
	for _, staged := range []int64{0, 4097} {
		checkSharesOfOne(t, edges, staged)
	}
}

func checkSharesOfOne(t *testing.T, edges []graph.Edge, staged int64) {
	parts, err := buildParts(edges, 3, false, limits{round: 5000, work: math.MaxInt64}, staged)
	if err != nil {
		t.Fatal(err)
	}
	want := order(edges, 3)
	for rank, p := range parts {
		comparePart(t, rank, p, want[rank])
	}
}

func comparePart(t *testing.T, rank int, got part, want hubOrdered) {
	t.Helper()
	if got.owned != int64(len(want.hubsOf)) || got.shift != want.shift {
		t.Fatalf("rank %d: owns %d labels, shift %d, want %d and %d", rank, got.owned, got.shift, len(want.hubsOf),
			want.shift)
	}
	equalWords(t, rank, "labels", got.labels, want.labels)
	equalWords(t, rank, "hub ids", got.hubsOf, want.hubsOf)
	equalWords(t, rank, "rows", got.rows, want.rows)
	equalWords(t, rank, "cols", got.cols, want.cols)
}

func equalWords[T uint32 | uint64](t *testing.T, rank int, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("rank %d: %d %s, want %d", rank, len(got), what, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("rank %d, %s: number %d is %d, want %d", rank, what, i, got[i], want[i])
		}
	}
}

// One rank has no room for its longest row; all learn of it.
func TestShortMemoryEndsAllRanks(t *testing.T) {
	star := make([]graph.Edge, 1<<17)
	for i := range star {
		star[i] = graph.NewEdge(1, graph.Global(i)+2)
	}
	ended := make([]error, 3)
	err := gputest.OnRanks(len(ended), func(s device.Transport) error {
		given, err := OnDevice(s.Device(), graph.HostTuples(gputest.Cut(star, s.Host().Rank(), len(ended), true)))
		if err == nil {
			_, err = buildWithin(s, given, limits{round: roundTuples, work: 1 << 19})
		}
		ended[s.Host().Rank()] = err
		return err
	})
	if err == nil {
		t.Fatal("a row longer than the working memory was sorted")
	}
	for rank, err := range ended {
		if err == nil || !strings.Contains(err.Error(), "choosing rows") {
			t.Errorf("rank %d ends with %v", rank, err)
		}
	}
}

func TestLabelsThatAreTooHighAreRefused(t *testing.T) {
	for _, c := range []struct {
		highest graph.Global
		ranks   int
	}{{maxOwned, 1}, {MaxIDs32, 2}, {1 << 47, 3}} {
		err := gputest.OnRanks(c.ranks, func(s device.Transport) error {
			given, err := OnDevice(s.Device(), graph.HostTuples{graph.NewEdge(0, c.highest)})
			if err == nil {
				_, err = buildWithin(s, given, limits{round: roundTuples, work: math.MaxInt64})
			}
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "too high") {
			t.Errorf("label %d on %d ranks: %v", c.highest, c.ranks, err)
		}
	}
}

func TestPositionForm(t *testing.T) {
	for _, c := range []struct {
		hubs  int64
		ranks int
		shift int
		wide  bool
	}{
		{0, 1, 8, false}, {1, 1, 8, false}, {256, 4, 8, false}, {257, 4, 9, false}, {512, 4, 9, false},
		{513, 4, 10, false}, {maxOwned, 1, 31, false}, {1 << 28, 4, 28, false}, {1<<28 + 1, 4, 29, false},
		{1<<30 - 1, 4, 30, false}, {1 << 30, 4, 30, true}, // the last position means none
		{1 << 22, 1024, 22, true}, {1<<22 - 1, 1024, 22, false}, {1<<22 + 1, 1023, 23, true},
		{maxOwned, 1024, 31, true},
	} {
		shift := cuda.LocalIDBits(c.hubs)
		wide := needIDs64(c.hubs, shift, c.ranks)
		if shift != c.shift || wide != c.wide {
			t.Errorf("%d hubs on %d ranks: shift %d, wide %v; want %d and %v", c.hubs, c.ranks, shift, wide, c.shift, c.wide)
		}
	}
}

// labelsAt looks up the labels at positions, in place or not; capacity is that of a lookup that is kept, 0 for none.
func labelsAt(s device.Transport, g *cuda.Graph, positions []uint32, capacity int64, inPlace bool) ([]uint32, error) {
	bytes := int64(4 * len(positions))
	from, err := s.Device().Alloc("positions", bytes)
	if err != nil {
		return nil, err
	}
	into := from
	if !inPlace {
		if into, err = s.Device().Alloc("labels", bytes); err != nil {
			return nil, err
		}
	}
	if err := cuda.Write(from.Memory, 0, positions); err != nil {
		return nil, err
	}
	asked, n := cuda.IDs{Words: from.Memory}, int64(len(positions))
	if err := lookUpTwice(s, g, asked, n, into.Memory, capacity); err != nil {
		return nil, err
	}
	if err := s.Device().Synchronize(); err != nil {
		return nil, err
	}
	labels := make([]uint32, len(positions))
	return labels, cuda.Read(labels, into.Memory, 0)
}

// lookUpTwice looks up nothing first, which must do no harm.
func lookUpTwice(
	s device.Transport, g *cuda.Graph, from cuda.IDs, n int64, into cuda.Memory, capacity int64,
) error {
	if capacity == 0 {
		return errors.Join(LookUpLabels(s, g, from, 0, into), LookUpLabels(s, g, from, n, into))
	}
	l, err := NewLabelLookup(s, capacity)
	if err != nil {
		return err
	}
	return errors.Join(l.LookUp(g, from, 0, into), l.LookUp(g, from, n, into), l.Close())
}

// Every rank asks for the far ends of its own edges, and some for nothing at all.
func TestLabelLookup(t *testing.T) {
	edges := make([]graph.Edge, gputest.Official(10).Edges())
	gputest.Official(10).Fill(0, edges)
	for _, ranks := range []int{1, 2, 3, 4, 7} {
		for _, capacity := range []int64{0, 1, 1000} {
			for _, inPlace := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d ranks, capacity %d, in place: %v", ranks, capacity, inPlace), func(t *testing.T) {
					if err := checkLookup(edges, ranks, capacity, inPlace); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}

func checkLookup(edges []graph.Edge, ranks int, capacity int64, inPlace bool) error {
	references := order(edges, ranks)
	return gputest.OnRanks(ranks, func(s device.Transport) error {
		mine := gputest.Cut(edges, s.Host().Rank(), ranks, true)
		given, err := OnDevice(s.Device(), graph.HostTuples(mine))
		if err != nil {
			return err
		}
		g, err := buildWithin(s, given, limits{round: roundTuples, work: math.MaxInt64})
		if err != nil {
			return err
		}
		positions, want, err := farEnds(g, s.Host().Rank(), references)
		if err != nil {
			return err
		}
		got, err := labelsAt(s, g, positions, capacity, inPlace)
		if err == nil && !slices.Equal(got, want) {
			err = fmt.Errorf("rank %d: wrong labels for its %d positions", s.Host().Rank(), len(positions))
		}
		return err
	})
}

// farEnds are positions of the columns with every seventh put out, and the labels there in the reference. The last
// of several ranks has none.
func farEnds(g *cuda.Graph, rank int, references []hubOrdered) (positions, labels []uint32, err error) {
	if rank > 0 && rank == len(references)-1 {
		return nil, nil, nil
	}
	positions = make([]uint32, g.Edges())
	if err := cuda.Read(positions, g.Cols(), 0); err != nil {
		return nil, nil, err
	}
	own := references[rank]
	for i, p := range own.cols {
		labels = append(labels, references[p>>own.shift].labels[p&(1<<own.shift-1)])
		if i%7 == 0 {
			positions[i], labels[i] = cuda.NoVertex, cuda.NoVertex
		}
	}
	return positions, labels, nil
}
