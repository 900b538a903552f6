// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/partition"
)

// drawn returns the graph of every case below and its valid tree from 0. Each case breaks one rule:
//
//	level 0        0          8---9     10 (with a self-loop)    14 (isolated)
//	              / \
//	level 1      1---2        11--12
//	            / \ / \        \  /
//	level 2    3   4   5        13
//	           |       |
//	level 3    6       7
func drawn() trial {
	const none = graph.NoParent
	return trial{
		n:       15,
		edges:   tuples("0-1 0-2 1-2 1-3 1-4 2-4 2-5 3-6 5-7 8-9 10-10 11-12 12-13 13-11"),
		root:    0,
		parents: []graph.Global{0, 0, 0, 1, 1, 2, 3, 5, none, none, none, none, none, none, none},
	}
}

// change has new parents of vertices.
type change = map[graph.Global]graph.Global

// broken is a violation of a rule.
type broken struct {
	name   string
	change change
	rule   error
	vertex graph.Global // of the fault
	other  graph.Global
	words  string // of the fault's text
}

// checkBroken checks the verdicts on the trial with each change.
func (tr trial) checkBroken(t *testing.T, cases []broken) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { tr.with(c.change).mustBreak(t, c) })
	}
}

// mustBreak fails unless the trial's verdict is the case's fault, and the reference implementation agrees.
func (tr trial) mustBreak(t *testing.T, c broken) {
	t.Helper()
	v := tr.verdict(t)
	var fault *Fault
	expect.Must(t, errors.As(v.Fault, &fault), "accepted, with %+v; want %v", v, c.rule)
	expect.That(t, errors.Is(v.Fault, c.rule) && fault.Vertex == c.vertex && fault.Other == c.other,
		"got %v (vertex %d, other %d); want %v (vertex %d, other %d)", fault, fault.Vertex, fault.Other, c.rule, c.vertex,
		c.other)
	expect.Contains(t, fault.Error(), c.words)
	expect.NoError(t, v.agreesWith(plainRules(tr)), "reference implementation:")
}

// Section "Kernel 2 - Breadth-First Search", the output: a parent for every vertex, -1 outside the root's component.
func TestKernel2OutputLabelsInRange(t *testing.T) {
	drawn().checkBroken(t, []broken{
		{"the label N", change{7: 15}, ErrRange, 7, 15, "vertex 7 has 15"},
		{"the label -2", change{7: -2}, ErrRange, 7, -2, "vertex 7 has -2"},
		{"a label of more than 32 bits", change{7: 1 << 32}, ErrRange, 7, 1 << 32, "vertex 7 has 4294967296"},
		{"a vertex without tuples", change{14: 99}, ErrRange, 14, 99, "vertex 14 has 99"},
		{"the lowest of several", change{3: -9, 5: 15, 14: 15}, ErrRange, 3, -9, "vertex 3 has -9"},
		{"reported before a wrong root", change{0: 1, 14: 15}, ErrRange, 14, 15, "vertex 14 has 15"},
	})
}

// Section "Kernel 2 - Breadth-First Search", the output: the parent of the root is the root.
func TestKernel2OutputRootIsItsOwnParent(t *testing.T) {
	drawn().checkBroken(t, []broken{
		{"the root was not reached", change{0: -1}, ErrRoot, 0, -1, "root 0 has the parent -1"},
		{"the root closes a cycle with a child", change{0: 1}, ErrRoot, 0, 1, "root 0 has the parent 1"},
	})
}

// Section "Validation", rule 1: the tree is a tree and does not contain cycles.
func TestRule1NoCycles(t *testing.T) {
	drawn().checkBroken(t, []broken{
		// 0 1 2 4 ... as drawn, 3 <-> 6 apart
		{"two vertices away from the root", change{3: 6}, ErrCycle, 3, 6, "rule 1"},
		// 1 -> 4 -> 2 -> 1: all vertices except the root lead to it
		{"three vertices next to the root", change{1: 4, 4: 2, 2: 1}, ErrCycle, 1, 4, "from vertex 1 and its parent 4"},
		{"a second vertex that is its own parent", change{4: 4}, ErrCycle, 4, 4, "rule 1"},
	})
}

// Section "Validation", rules 1 and 4. The Graph500 reference code accepts these: it propagates levels along the tuples
// from the root, and all its comparisons hold for a component that it never reaches.
func TestRule1OtherComponentClaimed(t *testing.T) {
	drawn().checkBroken(t, []broken{
		{"by a cycle of two", change{8: 9, 9: 8}, ErrCycle, 8, 9, "parents never lead to the root"},
		{"by its own root", change{8: 8, 9: 8}, ErrCycle, 8, 8, "parents never lead to the root"},
		{"a vertex without tuples, by itself", change{14: 14}, ErrCycle, 14, 14, "parents never lead to the root"},
		{"by a tree edge that is not a tuple", change{8: 0, 9: 8}, ErrTreeEdge, 8, 0, "no tuple joins them"},
	})
}

// Section "Validation", rule 1: all vertices of the tree lead to the root.
func TestRule1EveryParentIsInTheTree(t *testing.T) {
	drawn().checkBroken(t, []broken{
		{"a leaf below a vertex that was dropped",
			change{3: -1}, ErrOrphan, 6, 3, "vertex 6 has the parent 3, which was not reached"},
		{"a vertex below another component", change{4: 8}, ErrOrphan, 4, 8, "rule 1"},
	})
}

// Section "Validation", rules 2 and 3: levels along a tree edge differ by exactly one, along a tuple by at most one. A
// level is the distance to the root along parents, so a tree edge that skips a level puts its lower end and all
// vertices below it on levels that contradict other tuples.
func TestRules2And3Levels(t *testing.T) {
	drawn().checkBroken(t, []broken{
		// 0-1-2-5-7 instead of 0-2-5-7: tuple 0-2 joins levels 0 and 2
		{"a parent on the vertex's own level", change{2: 1}, ErrLevels, 0, 2, "tuple <0, 2> joins levels 0 and 2"},
		// 0-1-4-2-5-7: tuple 0-2 joins levels 0 and 3
		{"a parent on the level below", change{2: 4}, ErrLevels, 0, 2, "joins levels 0 and 3"},
	})

	//	0---1---2---3      The tree takes the longer path, so 4-3 joins levels 1 and 3.
	//	|           |
	//	4-----------+
	far := trial{n: 5, edges: tuples("0-1 1-2 2-3 0-4 4-3"), root: 0, parents: []graph.Global{0, 0, 1, 2, 0}}
	far.mustBreak(t, broken{"", nil, ErrLevels, 3, 4, "tuple <3, 4> joins levels 3 and 1"})

	//	0---1---2---3      3 is two levels too deep, as the root finds.
	//	+-----------+
	skip := trial{n: 4, edges: tuples("3-0 0-1 1-2 2-3"), root: 0, parents: []graph.Global{0, 0, 1, 2}}
	skip.mustBreak(t, broken{"", nil, ErrLevels, 0, 3, "tuple <0, 3> joins levels 0 and 3"})
}

// Section "Validation", rules 3 and 4: the tree spans the component of the root, so no tuple leaves it.
func TestRule4SpansTheComponent(t *testing.T) {
	drawn().checkBroken(t, []broken{
		{"a leaf was not reached", change{7: -1}, ErrSpan, 5, 7, "tuple <5, 7>: vertex 5 was reached and 7 was not"},
		{"only the root was reached", change{1: -1, 2: -1, 3: -1, 4: -1, 5: -1, 6: -1, 7: -1}, ErrSpan, 0, 1,
			"rules 3 and 4"},
	})

	//	(0)---1      The root is 1, and the unreached label is the lower one.
	small := trial{n: 2, edges: tuples("0-1"), root: 1, parents: []graph.Global{-1, 1}}
	small.mustBreak(t, broken{"", nil, ErrSpan, 0, 1, "tuple <0, 1>: vertex 1 was reached and 0 was not"})
}

// Section "Validation", rule 5: a vertex and its parent are joined by an edge of the original graph.
func TestRule5TreeEdgesAreTuples(t *testing.T) {
	drawn().checkBroken(t, []broken{
		{"a cousin for a parent, all levels valid", change{7: 4}, ErrTreeEdge, 7, 4,
			"vertex 7 has the parent 4, and no tuple joins them"},
		{"a vertex without tuples", change{14: 0}, ErrTreeEdge, 14, 0, "rule 5"},
		{"the lowest of several", change{6: 1, 7: 4, 14: 0}, ErrTreeEdge, 6, 1, "rule 5"},
		{"reported after levels", change{2: 1, 14: 0}, ErrLevels, 0, 2, "rule 3"},
		{"reported after the span", change{7: -1, 3: 2}, ErrSpan, 5, 7, "rules 3 and 4"},
	})
}

// Section "Validation": valid trees are accepted. Sections "Kernel 2" and "Computing and Outputting Performance
// Information": each tuple of the component counts once, and so does each of its duplicates.
func TestValidTrees(t *testing.T) {
	d := drawn()
	for _, c := range []struct {
		name string
		tr   trial
		want Verdict
	}{
		{"the drawn tree", d, Verdict{Edges: 9, EdgesWithLoops: 9, Reached: 8, Levels: 4}},
		// 8---9
		{"a small component", d.with(change{8: 9, 9: 9}).from(9).without(0, 7),
			Verdict{Edges: 1, EdgesWithLoops: 1, Reached: 2, Levels: 2}},
		{"a root with only a self-loop", d.with(change{10: 10}).from(10).without(0, 7),
			Verdict{Edges: 0, EdgesWithLoops: 1, Reached: 1, Levels: 1}},
		{"a root without tuples", d.with(change{14: 14}).from(14).without(0, 7), Verdict{Reached: 1, Levels: 1}},
		// 0===1---2, loops on 1 and 3: duplicates count in either direction
		{"duplicates and self-loops", trial{n: 4,
			edges: tuples("0-1 1-0 0-1 1-1 1-1 1-2 3-3"), parents: []graph.Global{0, 0, 1, -1}},
			Verdict{Edges: 4, EdgesWithLoops: 6, Reached: 3, Levels: 3}},
		{"one vertex", trial{n: 1, parents: []graph.Global{0}}, Verdict{Reached: 1, Levels: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.tr.verdict(t)
			expect.Equal(t, got, c.want)
			expect.NoError(t, got.agreesWith(plainRules(c.tr)), "reference implementation:")
		})
	}
}

// from returns the trial with another root.
func (tr trial) from(root graph.Global) trial {
	tr.root = root
	return tr
}

// without returns the trial with the labels first to last not reached.
func (tr trial) without(first, last graph.Global) trial {
	for v := first; v <= last; v++ {
		tr.parents[v] = graph.NoParent
	}
	return tr
}

// path returns a path that leads from the root over the labels in this order.
func path(labels []int) trial {
	tr := trial{n: len(labels), root: graph.Global(labels[0]), parents: make([]graph.Global, len(labels))}
	tr.parents[tr.root] = tr.root
	for i, label := range labels[1:] {
		above, below := graph.Global(labels[i]), graph.Global(label)
		tr.edges, tr.parents[below] = append(tr.edges, graph.NewEdge(above, below)), above
	}
	return tr
}

// rising returns the labels below n.
func rising(n int) []int {
	labels := make([]int, n)
	for v := range labels {
		labels[v] = v
	}
	return labels
}

// joined returns the trial with more tuples.
func (tr trial) joined(text string) trial {
	tr.edges = append(slices.Clip(tr.edges), tuples(text)...)
	return tr
}

// TestDeepTrees has trees around the depth from which levels do not fit into a set, and a much deeper one. The rules
// apply on the last level too.
func TestDeepTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{13, 14, 15, 16, 600} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			labels := rng.Perm(n)
			tr, end := path(labels), graph.Global(labels[n-1])
			want := Verdict{Edges: int64(n - 1), EdgesWithLoops: int64(n - 1), Reached: int64(n), Levels: n}
			expect.Equal(t, tr.verdict(t), want)
			before := tr.parents[end]
			pair := [2]graph.Global{min(end, before), max(end, before)}
			tr.with(change{end: graph.NoParent}).mustBreak(t, broken{"", nil, ErrSpan, pair[0], pair[1], ""})
			tr.with(change{end: tr.root}).mustBreak(t, broken{"", nil, ErrLevels, pair[0], pair[1], ""})
			arcs := tr
			arcs.directed = true
			arcs.with(change{end: graph.NoParent}).mustBreak(t, broken{"", nil, ErrArcSpan, before, end, ""})
			loop := tr.with(change{before: end})
			low := pair[0]
			loop.mustBreak(t, broken{"", nil, ErrCycle, low, loop.parents[low], ""})
		})
	}
}

// Section "Validation", rule 3, in trees whose levels do not fit into a set: a tuple between levels that differ by two
// is found, whichever end has the lower label or is named first.
func TestRule3InDeepTrees(t *testing.T) {
	up := rising(21)
	down := slices.Clone(up)
	slices.Reverse(down)
	for _, labels := range [][]int{up, down} {
		for _, chord := range []string{"3-5", "5-3", "18-16", "16-18"} {
			extra := tuples(chord)[0]
			low, high := min(extra.U(), extra.V()), max(extra.U(), extra.V())
			path(labels).joined(chord).mustBreak(t, broken{"", nil, ErrLevels, low, high, ""})
		}
	}
}

// TestManyQueries has more distinct ancestors in a step than a worker remembers.
func TestManyQueries(t *testing.T) {
	const n = 20_000
	tr := path(rand.New(rand.NewPCG(2, 2)).Perm(n))
	got := expect.Value(tr.verdicts(setting{ranks: 3, workers: 2, limit: usual}, tr.parents))(t)
	expect.Equal(t, got[0], Verdict{Edges: n - 1, EdgesWithLoops: n - 1, Reached: n, Levels: n})
}

// Arguments that are not a tree of the graph are errors, not verdicts.
func TestMisuse(t *testing.T) {
	path := tuples("0-1 1-2 2-3")
	four := []graph.Global{0, 0, 1, 2}
	for _, c := range []struct {
		name    string
		ranks   int // of the layout; the job has 1
		edges   []graph.Edge
		root    graph.Global
		parents []graph.Global
		want    string
	}{
		{"a layout for another job", 2, path, 0, four, "the layout is for 2 ranks, the job has 1"},
		{"a tuple outside the graph", 1, tuples("0-1 2-4"), 0, four,
			"edge tuple <2, 4> is outside the graph; labels are 0 to 3"},
		{"a root outside the graph", 1, path, 4, four, "the root 4 is not a vertex; labels are 0 to 3"},
		{"a negative root", 1, path, -1, four, "the root -1 is not a vertex; labels are 0 to 3"},
		{"too few parents", 1, path, 0, four[:3], "3 parents for the 4 vertices of rank 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := comm.Loopback(1, func(tr comm.Transport) error {
				j, err := New(tr, partition.NewCyclic(4, c.ranks), graph.HostTuples{Edges: c.edges}, 0)
				if err != nil {
					return err
				}
				return expect.Err(j.Tree(c.root, c.parents))
			})
			expect.Error(t, err, "validate: "+c.want)
		})
	}
}

// TestMemory compares Memory with the bytes that New allocates in total, which is at least its peak. On one rank, where
// there are no ghosts to estimate, Memory must also be close.
func TestMemory(t *testing.T) {
	const scale = 16
	_, official := enginetest.Official(scale, 0, 1)
	official.Weights = nil
	for _, ranks := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d ranks", ranks), func(t *testing.T) {
			var before, after runtime.MemStats
			enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
				if tr.Rank() == 0 {
					runtime.ReadMemStats(&before)
				}
				expect.NoError(t, tr.Barrier())
				own := enginetest.Share(official, tr)
				expect.NoError(t, expect.Err(New(tr, partition.NewCyclic(1<<scale, ranks), own, 1)))
			})
			runtime.ReadMemStats(&after)
			took := int64(after.TotalAlloc-before.TotalAlloc) / int64(ranks)
			tuples := int64(16<<scale) / int64(ranks)
			share := graph.Share{Ranks: ranks, Vertices: 1 << scale / int64(ranks), Tuples: tuples, Ends: 2 * tuples}
			if ranks > 1 {
				share.Ends += share.Ends / 8
			}
			limit := Memory(share)
			t.Logf("New took %d bytes per rank, Memory says %d", took, limit)
			expect.That(t, took <= limit, "New took %d bytes per rank, Memory says at most %d", took, limit)
			expect.That(t, ranks != 1 || took >= limit*3/4, "New took %d bytes, Memory says %d, much more", took, limit)
		})
	}
}
