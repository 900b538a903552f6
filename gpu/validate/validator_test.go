// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/partition"
	"g500/validate"
)

const none = graph.NoParent

// pairs is short for tables.
var pairs = bfstest.Tuples

// planted are trees that break one rule, or none. TestValidatorAgreesWithTheReferenceOnDamage has faults of one parent.
var planted = []struct {
	name    string
	edges   []graph.Edge
	root    graph.Global
	parents []graph.Global
	rule    error // nil for a right tree
}{
	{"right", pairs(0, 1, 1, 2, 2, 2, 3, 3, 1, 0), 0, []graph.Global{0, 0, 1, none}, nil},
	{"one vertex, no tuple", nil, 0, []graph.Global{0}, nil},
	{"parent past the last vertex", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 3}, validate.ErrRange},
	{"right except a bit above the 32nd", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 1 + 1<<32}, validate.ErrRange},
	{"right except the sign bit", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 1 - 1<<63}, validate.ErrRange},
	{"all bits set except the highest", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 1<<63 - 1}, validate.ErrRange},
	{"the low bits of a vertex that was not reached", pairs(0, 1, 2, 2), 0,
		[]graph.Global{0, 0, 1<<32 - 1}, validate.ErrRange},
	{"the label -2", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, -2}, validate.ErrRange},
	{"the root, except a bit above the 32nd", pairs(0, 1, 1, 2), 1,
		[]graph.Global{1, 1 + 1<<32, 1}, validate.ErrRoot},
	{"root has a parent past the last vertex", pairs(0, 1, 1, 2), 0, []graph.Global{9, 0, 1}, validate.ErrRoot},
	{"root was not reached", pairs(0, 1, 1, 2), 0, []graph.Global{none, none, none}, validate.ErrRoot},
	{"own parent", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 2}, validate.ErrCycle},
	{"a leaf is missing", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, none}, validate.ErrSpan},
	{"cycle in another component", pairs(0, 1, 2, 3, 3, 4, 4, 2), 0, []graph.Global{0, 0, 3, 4, 2}, validate.ErrCycle},
	{"below a cycle, and an unreached parent", pairs(0, 1), 0,
		[]graph.Global{0, 2, 1, 4, none, 3, 1}, validate.ErrOrphan},
	{"the long way round a ring", pairs(0, 1, 1, 2, 2, 3, 3, 4, 4, 0), 0,
		[]graph.Global{0, 0, 1, 2, 3}, validate.ErrLevels},
}

func TestValidatorFindsPlantedFaults(t *testing.T) {
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			check := func(t *testing.T, s setting) {
				got := s.validate(t, graph.Global(len(c.parents)), c.edges, claim{c.root, c.parents})[0]
				expect.That(t, errors.Is(got.Fault, c.rule) && (got.Fault == nil) == (c.rule == nil),
					"%+v: the fault is %v, want %v", s, got.Fault, c.rule)
			}
			inEverySetting(t, check)
			for _, ranks := range []int{1, 2, 3} { // one or two tuples at a time
				check(t, setting{ranks: ranks, staged: 1})
				if ranks > 1 {
					check(t, setting{ranks: ranks, staged: 1, labels64: true, owners: true})
				}
				check(t, setting{ranks: ranks, window: 1, onLast: true, staged: 2})
			}
		})
	}
}

func TestValidatorFindsPlantedFaultsOfDirectedTrees(t *testing.T) {
	for _, c := range []struct {
		name    string
		edges   []graph.Edge
		parents []graph.Global // from root 0
		rule    error
	}{
		{"right", pairs(0, 1, 1, 2, 2, 3, 3, 0, 3, 1, 4, 2, 2, 2, 4, 4), []graph.Global{0, 0, 1, 2, none}, nil},
		{"an arc to an unreached vertex", pairs(0, 1, 1, 2), []graph.Global{0, 0, none}, validate.ErrArcSpan},
		{"an arc two levels down", pairs(0, 1, 1, 2, 0, 2), []graph.Global{0, 0, 1}, validate.ErrArcLevels},
		{"an arc from the child", pairs(0, 1, 2, 1, 0, 3, 3, 2), []graph.Global{0, 0, 1, 0}, validate.ErrArcParent},
	} {
		inEverySetting(t, func(t *testing.T, s setting) {
			s.arcs = true
			got := s.validate(t, graph.Global(len(c.parents)), c.edges, claim{0, c.parents})[0]
			expect.That(t, errors.Is(got.Fault, c.rule) && (got.Fault == nil) == (c.rule == nil),
				"%s: the fault is %v, want %v", c.name, got.Fault, c.rule)
		})
	}
}

func TestValidatorAgreesWithTheReferenceOnDamage(t *testing.T) {
	for _, arcs := range []bool{false, true} {
		t.Run(fmt.Sprintf("arcs=%v", arcs), func(t *testing.T) { agreeOnDamage(t, arcs) })
	}
}

// agreeOnDamage replaces one parent of a right tree by a random label.
func agreeOnDamage(t *testing.T, arcs bool) {
	edges := enginetest.OfficialEdges(11)
	right := claim{root: edges[0].U()}
	_, right.parents = enginetest.Shortest(graph.HostTuples{Edges: edges, Arcs: arcs}, 1<<11, right.root)
	rng := rand.New(rand.NewPCG(7, 0))
	trees := []claim{right}
	for range 200 {
		n := len(right.parents)
		trees = append(trees, right.with(graph.Global(rng.IntN(n)), graph.Global(rng.IntN(n+2))-1))
	}
	if testing.Short() {
		trees = trees[:20]
	}
	inEverySetting(t, func(t *testing.T, s setting) {
		s.arcs = arcs
		s.validate(t, graph.Global(len(right.parents)), edges, trees...)
	})
}

// The trees of the engine are right, on every graph of the suite.
func TestValidatorAgreesWithTheReferenceOnRightTrees(t *testing.T) {
	for _, c := range gputest.Graphs() {
		t.Run(fmt.Sprintf("%s, %d tuples", c.Name, len(c.Edges)), func(t *testing.T) {
			var trees []claim
			var vertices graph.Global
			gputest.Alone(t, func(tr device.Transport) {
				e := gputest.Must(gpubfs.New(tr, graph.HostTuples{Edges: c.Edges}, gpubfs.DefaultOptions()))
				defer e.Close()
				vertices = e.Layout().Vertices()
				for _, root := range c.Roots {
					trees = append(trees, claim{root, gputest.Must(gputest.Must(e.Search(root)).Host()).Parents})
				}
			})
			for i, v := range (setting{ranks: 1}).validate(t, vertices, c.Edges, trees...) {
				expect.Equal(t, v.Fault, nil, "root", trees[i].root)
			}
		})
	}
}

func TestValidatorRefusesForeignLabels(t *testing.T) {
	for _, edge := range []graph.Edge{graph.NewEdge(3, 0), graph.NewEdge(1, 3)} {
		inEverySetting(t, func(t *testing.T, s setting) {
			list := weightedList{3, []graph.Edge{graph.NewEdge(0, 1), edge}, nil}
			err := s.prepare(list, func(*Validator, *validate.Validator) {})
			expect.Equal(t, err != nil, true, "a graph of three vertices refuses", edge)
		})
	}
}

// claim is the tree that a search claims to have found.
type claim struct {
	root    graph.Global
	parents []graph.Global
}

// with returns the claim with another parent of v.
func (c claim) with(v, parent graph.Global) claim {
	c.parents = slices.Clone(c.parents)
	c.parents[v] = parent
	return c
}

// setting is a distribution of a graph, and options of the validator.
type setting struct {
	ranks    int
	window   int64 // vertices of a window, 0 for DeviceWindow
	onLast   bool  // the last rank has all tuples
	staged   int64 // tuples of a piece from host memory, 0 for tuples in device memory
	again    bool  // these pieces are generated again, not in host memory
	labels64 bool  // windows have 64-bit parents; not for shortest paths
	owners   bool  // messages to owners of vertices; only with labels64
	arcs     bool  // the graph is directed
}

// inEverySetting runs a test in several settings. A window has at least 128 vertices of each rank, so a small graph has
// few windows.
func inEverySetting(t *testing.T, test func(*testing.T, setting)) {
	for _, s := range []setting{
		{ranks: 1}, {ranks: 1, window: 1}, {ranks: 2}, {ranks: 2, window: 1, onLast: true},
		{ranks: 3, onLast: true}, {ranks: 3, window: 1}, {ranks: 4}, {ranks: 4, window: 600},
		{ranks: 4, window: 1, onLast: true}, {ranks: 1, labels64: true}, {ranks: 3, window: 1, labels64: true},
		{ranks: 4, onLast: true, labels64: true}, {ranks: 1, staged: 10_000},
		{ranks: 2, labels64: true, owners: true}, {ranks: 4, onLast: true, staged: 5000, labels64: true, owners: true},
		{ranks: 2, window: 1, onLast: true, staged: 5000}, {ranks: 3, window: 1, staged: 7000},
		{ranks: 1, staged: 9000, again: true}, {ranks: 3, window: 1, staged: 6000, again: true},
		{ranks: 2, staged: 8000, again: true, labels64: true, owners: true},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) { test(t, s) })
	}
}

// weightedList is a list of tuples; the weights are nil for trees.
type weightedList struct {
	vertices graph.Global
	edges    []graph.Edge
	weights  []float32
}

// prepare calls body on every rank with a validator on the device and the reference implementation.
func (s setting) prepare(list weightedList, body func(*Validator, *validate.Validator)) error {
	return gputest.Ranks(comm.Loopback, s.ranks, func(host comm.Transport) {
		d := gputest.Must(cuda.Open(host.Rank()))
		defer d.Close()
		n, r := len(list.edges), host.Rank()
		from, to := n*r/s.ranks, n*(r+1)/s.ranks
		if s.onLast {
			from, to = 0, n*((r+1)/s.ranks)
		}
		part := graph.HostTuples{Edges: list.edges, Weights: list.weights, Arcs: s.arcs}.Cut(from, to)
		given := gputest.Must(kernel1.Placed(d, part, kernel1.Storage{Staged: s.staged, Generated: s.again}))
		trees := list.weights == nil
		o := options{cmp.Or(s.window, DeviceWindow), s.labels64 && trees, s.owners && trees}
		mine := gputest.Must(newWithin(gputest.Slow(host, d), list.vertices, given, o))
		body(mine, gputest.Must(validate.New(host, partition.NewCyclic(list.vertices, s.ranks), part, 1)))
		gputest.Check(mine.Close())
	})
}

// own returns the elements of this rank's vertices.
func own[T any](v *Validator, all []T) []T {
	mine := make([]T, v.owned)
	for l := range mine {
		mine[l] = all[v.graph.Global(v.parts.Rank, graph.Local(l))]
	}
	return mine
}

// validate validates trees. The verdicts must be the same on every rank, and equal the reference implementation's.
func (s setting) validate(t *testing.T, vertices graph.Global, edges []graph.Edge, trees ...claim) []validate.Verdict {
	t.Helper()
	verdicts := make([]validate.Verdict, len(trees))
	expect.NoError(t, s.prepare(weightedList{vertices, edges, nil}, func(mine *Validator, reference *validate.Validator) {
		memory := gputest.Must(mine.t.Device().Alloc("tree", 8*mine.owned)).Memory
		for i, c := range trees {
			parents := own(mine, c.parents)
			want := gputest.Must(reference.Tree(c.root, parents))
			for _, bits := range c.lengths() {
				writeTree(memory, parents, bits)
				got := gputest.Must(mine.Validate(c.root, device.Result{Parents: memory, Vertices: mine.owned, Bits: bits}))
				err := sameVerdict(got, want)
				gputest.That(err == nil, "tree %d, rank %d, %d bits: %w", i, mine.parts.Rank, bits, err)
				if mine.parts.Rank == 0 {
					verdicts[i] = got
				}
			}
		}
	}))
	return verdicts
}

// lengths returns the possible numbers of bits of the parents, on all ranks.
func (c claim) lengths() []int {
	if slices.Min(c.parents) < none || slices.Max(c.parents) >= graph.Global(cuda.NoVertex) {
		return []int{64}
	}
	return []int{32, 64}
}

// writeTree writes parents in the format of a search.
func writeTree(to cuda.Memory, parents []graph.Global, bits int) {
	if bits == 64 {
		gputest.Check(cuda.Write(to, 0, parents))
		return
	}
	words := make([]uint32, len(parents))
	for i, parent := range parents {
		words[i] = uint32(parent) // -1 becomes NoVertex
	}
	gputest.Check(cuda.Write(to, 0, words))
}

// sameVerdict compares verdicts, except the levels of a tuple's ends, which the one on the device does not report.
func sameVerdict(got, want validate.Verdict) error {
	if got.Fault == nil && got == want {
		return nil
	}
	var mine, theirs *validate.Fault
	if !errors.As(got.Fault, &mine) || !errors.As(want.Fault, &theirs) ||
		mine.Rule != theirs.Rule || mine.Vertex != theirs.Vertex || mine.Other != theirs.Other ||
		got != (validate.Verdict{Fault: got.Fault}) {
		return fmt.Errorf("%+v, want %+v", got, want)
	}
	return nil
}
