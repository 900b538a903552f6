// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"math/rand/v2"
	"testing"

	"g500/graph"
	"g500/internal/expect"
)

// randomTrial returns a random sparse or dense graph with duplicates and self-loops, and the tree of a serial search.
func randomTrial(rng *rand.Rand) trial {
	n := 1 + rng.IntN(60)
	tr := trial{n: n, root: graph.Global(rng.IntN(n))}
	for range rng.IntN(3*n + 1) {
		u, v := graph.Global(rng.IntN(n)), graph.Global(rng.IntN(n))
		for range 1 + rng.IntN(2)*rng.IntN(3) {
			tr.edges = append(tr.edges, graph.NewEdge(u, v))
		}
	}
	return tr.searched()
}

// randomDirected returns a random directed graph, some with a long chain, and the tree of a serial search.
func randomDirected(rng *rand.Rand) trial {
	tr := randomTrial(rng)
	tr.directed = true
	for v := 1; v < tr.n && rng.IntN(3) == 0; v++ {
		tr.edges = append(tr.edges, graph.NewEdge(graph.Global(v-1), graph.Global(v)))
	}
	if rng.IntN(4) == 0 {
		tr.edges, tr.root = tr.edges[:0], 0
		for v := 1; v < tr.n; v++ {
			tr.edges = append(tr.edges, graph.NewEdge(graph.Global(v-1), graph.Global(v)),
				graph.NewEdge(graph.Global(v), graph.Global(rng.IntN(v))))
		}
	}
	return tr.searched()
}

// randomSetting returns a setting for n vertices. On several ranks half of the settings have the largest labels.
func randomSetting(rng *rand.Rand, n int) setting {
	limit := limits{1 + rng.IntN(9), 1 + rng.IntN(9), 1 + rng.IntN(9), 1 + rng.IntN(9), rng.IntN(9)}
	ranks := 1 + rng.IntN(7)
	return setting{ranks, 1 + rng.IntN(3), limit, graph.Global(rng.IntN(min(ranks, 2))) * lastOf(n)}
}

// mutate returns the parents with one change: to any label, to a neighbour, or to one just outside the range.
func mutate(rng *rand.Rand, tr trial) []graph.Global {
	v := graph.Global(rng.IntN(tr.n))
	p := graph.Global(rng.IntN(tr.n))
	switch rng.IntN(6) {
	case 0:
		p = graph.NoParent
	case 1:
		p = v
	case 2:
		p = []graph.Global{-2, graph.Global(tr.n)}[rng.IntN(2)]
	case 3:
		if len(tr.edges) > 0 {
			e := tr.edges[rng.IntN(len(tr.edges))]
			v, p = e.U(), e.V()
		}
	}
	return tr.with(change{v: p}).parents
}

// TestRandomGraphs validates valid trees, trees with one to three changed parents, some valid too, and random parents.
func TestRandomGraphs(t *testing.T) {
	checkRandom(t, randomTrial, ErrRange, ErrRoot, ErrOrphan, ErrCycle, ErrLevels, ErrSpan, ErrTreeEdge)
}

// The same holds for directed graphs, with the rules on arcs.
func TestRandomDirectedGraphs(t *testing.T) {
	checkRandom(t, randomDirected, ErrRange, ErrRoot, ErrOrphan, ErrCycle, ErrArcLevels, ErrArcSpan, ErrArcParent)
}

// checkRandom draws trials, and fails unless each of the rules is broken by a mutation.
func checkRandom(t *testing.T, draw func(*rand.Rand) trial, rules ...error) {
	const graphs, mutations = 120, 20
	rng := rand.New(rand.NewPCG(4, 4))
	reported, valid := map[error]int{}, 0
	for range graphs {
		tr := draw(rng)
		trees := [][]graph.Global{tr.parents}
		for range mutations {
			mutated := tr
			for range 1 + rng.IntN(3) {
				mutated.parents = mutate(rng, mutated)
			}
			trees = append(trees, mutated.parents)
		}
		anyTree := make([]graph.Global, tr.n)
		for v := range anyTree {
			anyTree[v] = graph.Global(rng.IntN(tr.n+3) - 2)
		}
		trees = append(trees, anyTree)
		s := randomSetting(rng, tr.n)
		verdicts := expect.Value(tr.verdicts(s, trees...))(t)
		expect.Equal(t, verdicts[0].Fault, nil, s, "the tree of a search", tr)
		for i, v := range verdicts {
			one := tr
			one.parents = trees[i]
			expect.Equal(t, v.agreesWith(plainRules(one)), nil, s, "\n", one)
			if f, ok := v.Fault.(*Fault); ok {
				reported[f.Rule]++
			} else {
				valid++
			}
		}
	}
	for _, rule := range rules {
		expect.Equal(t, reported[rule] > 0, true, "a mutation broke", rule)
	}
	expect.Equal(t, valid > graphs, true, "some mutations leave a tree valid")
}
