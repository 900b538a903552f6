// SPDX-License-Identifier: Apache-2.0

package validate

import (
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

// path returns a path with labels in random order, and the vertex at its end; it begins at the root.
func path(rng *rand.Rand, n int) (tr trial, end graph.Global) {
	labels := rng.Perm(n)
	tr = trial{n: n, root: graph.Global(labels[0]), parents: make([]graph.Global, n)}
	tr.parents[tr.root] = tr.root
	for i := range n - 1 {
		above, below := graph.Global(labels[i]), graph.Global(labels[i+1])
		tr.edges = append(tr.edges, graph.NewEdge(above, below))
		tr.parents[below] = above
	}
	return tr, graph.Global(labels[n-1])
}

// TestDeepTrees has trees around the depth from which levels do not fit into a set, and a much deeper one. The rules
// apply on the last level too.
func TestDeepTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{13, 14, 15, 16, 600} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			tr, end := path(rng, n)
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
	const n = 21
	tr := trial{n: n, parents: make([]graph.Global, n)}
	for v := graph.Global(1); v < n; v++ {
		tr.edges, tr.parents[v] = append(tr.edges, graph.NewEdge(v-1, v)), v-1
	}
	turned := trial{n: n, root: n - 1, parents: make([]graph.Global, n)} // label v is n-1-v
	for v, parent := range tr.parents {
		turned.parents[n-1-v] = n - 1 - parent
	}
	for _, e := range tr.edges {
		turned.edges = append(turned.edges, graph.NewEdge(n-1-e.U(), n-1-e.V()))
	}
	for _, deep := range []trial{tr, turned} {
		for _, chord := range []string{"3-5", "5-3", "18-16", "16-18"} {
			extra := tuples(chord)[0]
			deep.edges = append(slices.Clip(deep.edges), extra)
			pair := [2]graph.Global{min(extra.U(), extra.V()), max(extra.U(), extra.V())}
			deep.mustBreak(t, broken{"", nil, ErrLevels, pair[0], pair[1], ""})
			deep.edges = deep.edges[:n-1]
		}
	}
}

// TestManyQueries has more distinct ancestors in a step than a worker remembers.
func TestManyQueries(t *testing.T) {
	const n = 20_000
	tr, _ := path(rand.New(rand.NewPCG(2, 2)), n)
	got := expect.Value(tr.verdicts(setting{ranks: 3, workers: 2, limit: usual}, tr.parents))(t)
	if want := (Verdict{Edges: n - 1, EdgesWithLoops: n - 1, Reached: n, Levels: n}); got[0] != want {
		t.Errorf("got %+v, want %+v", got[0], want)
	}
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
				j, err := New(tr, partition.NewCyclic(4, c.ranks), graph.HostTuples(c.edges), 0)
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
	edges := official.HostTuples
	for _, ranks := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d ranks", ranks), func(t *testing.T) {
			var before, after runtime.MemStats
			enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
				if tr.Rank() == 0 {
					runtime.ReadMemStats(&before)
				}
				expect.NoError(t, tr.Barrier())
				own := graph.HostTuples(part(edges, tr.Rank(), ranks))
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
			if took > limit {
				t.Errorf("New took %d bytes per rank, Memory says at most %d", took, limit)
			}
			if ranks == 1 && took < limit*3/4 {
				t.Errorf("New took %d bytes, Memory says %d, much more", took, limit)
			}
		})
	}
}
