//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/partition"
	"g500/validate"
)

const none = graph.NoParent

// pairs is short in tables.
var pairs = gputest.Pairs

// planted are trees that break one rule each.
var planted = []struct {
	name    string
	edges   []graph.Edge
	root    graph.Global
	parents []graph.Global
	rule    error // nil for a right tree
}{
	{"right", pairs(0, 1, 1, 2, 2, 2, 3, 3, 1, 0), 0, []graph.Global{0, 0, 1, none}, nil},
	{"root alone", pairs(0, 1, 2, 2), 2, []graph.Global{none, none, 2}, nil},
	{"one vertex, no tuple", nil, 0, []graph.Global{0}, nil},
	{"parent past the last vertex", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 3}, validate.ErrRange},
	{"right but for a bit past the 32nd", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 1 + 1<<32}, validate.ErrRange},
	{"right but for the bit of the sign", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 1 - 1<<63}, validate.ErrRange},
	{"all bits set but the highest", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 1<<63 - 1}, validate.ErrRange},
	{"the low bits of a vertex that was not reached", pairs(0, 1, 2, 2), 0,
		[]graph.Global{0, 0, 1<<32 - 1}, validate.ErrRange},
	{"the label -2", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, -2}, validate.ErrRange},
	{"the root, but for a bit past the 32nd", pairs(0, 1, 1, 2), 1,
		[]graph.Global{1, 1 + 1<<32, 1}, validate.ErrRoot},
	{"root has a parent", pairs(0, 1, 1, 2), 0, []graph.Global{1, 0, 1}, validate.ErrRoot},
	{"root has a parent past the last vertex", pairs(0, 1, 1, 2), 0, []graph.Global{9, 0, 1}, validate.ErrRoot},
	{"root was not reached", pairs(0, 1, 1, 2), 0, []graph.Global{none, none, none}, validate.ErrRoot},
	{"cycle of two", pairs(0, 1, 1, 2, 2, 3), 0, []graph.Global{0, 0, 3, 2}, validate.ErrCycle},
	{"own parent", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 2}, validate.ErrCycle},
	{"cycle in another component", pairs(0, 1, 2, 3, 3, 4, 4, 2), 0, []graph.Global{0, 0, 3, 4, 2}, validate.ErrCycle},
	{"parent was not reached", pairs(0, 1, 1, 2, 3, 3), 0, []graph.Global{0, 0, 3, none}, validate.ErrOrphan},
	{"below a cycle, and an unreached parent", pairs(0, 1), 0,
		[]graph.Global{0, 2, 1, 4, none, 3, 1}, validate.ErrOrphan},
	{"the long way round a ring", pairs(0, 1, 1, 2, 2, 3, 3, 4, 4, 0), 0,
		[]graph.Global{0, 0, 1, 2, 3}, validate.ErrLevels},
	{"a leaf is missing", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, none}, validate.ErrSpan},
	{"parent is no neighbour", pairs(0, 1, 0, 2, 1, 3, 2, 4), 0, []graph.Global{0, 0, 0, 2, 2}, validate.ErrTreeEdge},
}

func TestValidatorFindsPlantedFaults(t *testing.T) {
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			check := func(t *testing.T, s setting) {
				got := s.validate(t, graph.Global(len(c.parents)), c.edges, claim{c.root, c.parents})[0]
				if !errors.Is(got.Fault, c.rule) || (got.Fault == nil) != (c.rule == nil) {
					t.Errorf("%+v: the fault is %v, want %v", s, got.Fault, c.rule)
				}
			}
			inEverySetting(t, check)
			for _, ranks := range []int{1, 2, 3} { // a tuple or two at a time
				check(t, setting{ranks, DeviceWindow, false, 1, false})
				check(t, setting{ranks, 1, true, 2, false})
			}
		})
	}
}

// One parent of a right tree is replaced by another label.
func TestValidatorAgreesWithTheReferenceOnDamage(t *testing.T) {
	p := gputest.Official(11)
	edges := make([]graph.Edge, p.Edges())
	p.Fill(0, edges)
	right := claim{edges[0].U(), rightTree(t, edges, edges[0].U())}
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
		s.validate(t, graph.Global(len(right.parents)), edges, trees...)
	})
}

// The trees of the engine, on every graph of the suite.
func TestValidatorAgreesWithTheReferenceOnRightTrees(t *testing.T) {
	for _, c := range gputest.Graphs() {
		t.Run(fmt.Sprintf("%s, %d tuples", c.Name, len(c.Edges)), func(t *testing.T) {
			var trees []claim
			var vertices graph.Global
			gputest.OnOne(t, func(tr device.Transport) error {
				e, err := gpubfs.New(tr, graph.HostTuples(c.Edges), gpubfs.DefaultOptions())
				if err != nil {
					return err
				}
				defer e.Close()
				vertices = e.Layout().Vertices()
				for _, root := range c.Roots {
					result, err := e.Search(root)
					if err != nil {
						return err
					}
					trees = append(trees, claim{root, must(result.Parents())(t)})
				}
				return nil
			})
			for i, v := range oneRank.validate(t, vertices, c.Edges, trees...) {
				if v.Fault != nil {
					t.Errorf("root %d: %v", trees[i].root, v.Fault)
				}
			}
		})
	}
}

func TestValidatorRefusesForeignLabels(t *testing.T) {
	for _, edge := range []graph.Edge{graph.NewEdge(3, 0), graph.NewEdge(1, 3)} {
		inEverySetting(t, func(t *testing.T, s setting) {
			none := func(*Validator, *validate.Validator, partition.Layout) error { return nil }
			err := s.prepare(3, []graph.Edge{graph.NewEdge(0, 1), edge}, nil, none)
			if err == nil {
				t.Errorf("the tuple %v is taken for one of a graph of three vertices", edge)
			}
		})
	}
}

// claim is what is said to be the tree of a search.
type claim struct {
	root    graph.Global
	parents []graph.Global
}

// with is the claim with another parent of v.
func (c claim) with(v, parent graph.Global) claim {
	c.parents = append([]graph.Global(nil), c.parents...)
	c.parents[v] = parent
	return c
}

// setting is one way to spread a graph.
type setting struct {
	ranks  int
	window int64 // vertices whose parents are looked at at a time
	onLast bool  // all tuples lie on the last rank
	staged int64 // tuples of a piece from host memory, 0 where they lie in device memory
	wide   bool  // trees are validated with labels of 64 bits
}

var oneRank = setting{1, DeviceWindow, false, 0, false}

// inEverySetting runs a test in several settings. A window has 128 places of each rank at least, so a small graph has
// few.
func inEverySetting(t *testing.T, test func(*testing.T, setting)) {
	for _, s := range []setting{
		oneRank, {1, 1, false, 0, false}, {2, DeviceWindow, false, 0, false}, {2, 1, true, 0, false},
		{3, DeviceWindow, true, 0, false}, {3, 1, false, 0, false},
		{4, DeviceWindow, false, 0, false}, {4, 600, false, 0, false}, {4, 1, true, 0, false},
		{1, DeviceWindow, false, 0, true}, {3, 1, false, 0, true}, {4, DeviceWindow, true, 0, true},
		{1, DeviceWindow, false, 10_000, false}, {2, 1, true, 5000, false}, {3, 1, false, 7000, false},
	} {
		name := fmt.Sprintf("%d ranks, window of %d, all tuples on the last: %v, staged %d, wide %v",
			s.ranks, s.window, s.onLast, s.staged, s.wide)
		t.Run(name, func(t *testing.T) {
			test(t, s)
		})
	}
}

// part is what a rank has of n tuples: those from the first number on, to before the second.
func (s setting) part(n, rank int) (from, to int) {
	if s.onLast {
		return 0, n * ((rank + 1) / s.ranks)
	}
	return n * rank / s.ranks, n * (rank + 1) / s.ranks
}

// prepare makes a validator on the device and the reference implementation on every rank, and runs a function there.
// Weights are nil for trees.
func (s setting) prepare(
	vertices graph.Global, edges []graph.Edge, weights []float32,
	run func(*Validator, *validate.Validator, partition.Layout) error,
) error {
	return comm.Loopback(s.ranks, func(tr comm.Transport) (err error) {
		d, err := cuda.Open(tr.Rank())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
		layout := partition.NewCyclic(vertices, s.ranks)
		from, to := s.part(len(edges), tr.Rank())
		own := graph.HostTuples(edges[from:to])
		var part graph.Tuples = own
		if weights != nil {
			part = graph.HostWeightedTuples{HostTuples: own, Weights: weights[from:to]}
		}
		given, err := kernel1.Placed(d, part, s.staged)
		if err != nil {
			return err
		}
		mine, err := newWithin(gputest.Slow(tr, d), vertices, given, options{s.window, s.wide && weights == nil})
		if err != nil {
			return err
		}
		reference, err := validate.New(tr, layout, part, 1)
		if err == nil {
			err = run(mine, reference, layout)
		}
		return errors.Join(err, mine.Close())
	})
}

// validate validates trees one after the other. The verdicts must be the same on every rank, and those of
// the reference implementation.
func (s setting) validate(t *testing.T, vertices graph.Global, edges []graph.Edge, trees ...claim) []validate.Verdict {
	t.Helper()
	verdicts := make([]validate.Verdict, len(trees))
	run := func(mine *Validator, reference *validate.Validator, layout partition.Layout) error {
		buffer, err := mine.t.Device().Alloc("tree", 8*mine.owned)
		if err != nil {
			return err
		}
		for i, c := range trees {
			own := make([]graph.Global, mine.owned)
			for l := range own {
				own[l] = c.parents[layout.Global(mine.parts.Rank, graph.Local(l))]
			}
			want, err := reference.Tree(c.root, own)
			if err != nil {
				return err
			}
			var got validate.Verdict
			for _, bits := range c.lengths() {
				if err := writeTree(buffer.Memory, own, bits); err != nil {
					return err
				}
				got, err = mine.Tree(c.root, device.Tree{Words: buffer.Memory, Vertices: mine.owned, Bits: bits})
				if err == nil {
					err = sameVerdict(got, want)
				}
				if err != nil {
					return fmt.Errorf("tree %d, rank %d, %d bits: %w", i, mine.parts.Rank, bits, err)
				}
			}
			if mine.parts.Rank == 0 {
				verdicts[i] = got
			}
		}
		return nil
	}
	if err := s.prepare(vertices, edges, nil, run); err != nil {
		t.Fatal(err)
	}
	return verdicts
}

// lengths are the bits that a parent of the claim may have, on any rank.
func (c claim) lengths() []int {
	if slices.Min(c.parents) < none || slices.Max(c.parents) >= graph.Global(cuda.NoVertex) {
		return []int{64}
	}
	return []int{32, 64}
}

// writeTree writes parents as a search does.
func writeTree(to cuda.Memory, parents []graph.Global, bits int) error {
	if bits == 64 {
		return cuda.Write(to, 0, parents)
	}
	words := make([]uint32, len(parents))
	for i, parent := range parents {
		words[i] = uint32(parent) // -1 becomes NoVertex
	}
	return cuda.Write(to, 0, words)
}

// sameVerdict compares verdicts. The validator on the device does not report the levels that a tuple joins.
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

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// rightTree is the reference engine's.
func rightTree(t *testing.T, edges []graph.Edge, root graph.Global) (parents []graph.Global) {
	t.Helper()
	err := comm.Loopback(1, func(tr comm.Transport) error {
		e, err := bfs.NewTopDown(tr, graph.HostTuples(edges))
		if err != nil {
			return err
		}
		result, err := e.Search(root)
		if err == nil {
			parents, err = result.Parents()
		}
		return err
	})
	return must(parents, err)(t)
}
