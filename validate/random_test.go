// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/graph"
	"g500/internal/expect"
	"g500/partition"
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

func randomSetting(rng *rand.Rand) setting {
	limit := limits{1 + rng.IntN(9), 1 + rng.IntN(9), 1 + rng.IntN(9), 1 + rng.IntN(9), rng.IntN(9)}
	return setting{1 + rng.IntN(7), 1 + rng.IntN(3), limit}
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
		s := randomSetting(rng)
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

// highLabels is a layout of the last vertices of a graph of class huge. Other vertices have no owner.
type highLabels struct {
	partition.Layout              // of the same number of vertices from 0 on
	first            graph.Global // label
}

func newHighLabels(n, ranks int) highLabels {
	return highLabels{partition.NewCyclic(graph.Global(n), ranks), 1<<42 - graph.Global(n)}
}

func (l highLabels) Vertices() graph.Global                   { return 1 << 42 }
func (l highLabels) Owner(v graph.Global) int                 { return l.Layout.Owner(v - l.first) }
func (l highLabels) Local(v graph.Global) graph.Local         { return l.Layout.Local(v - l.first) }
func (l highLabels) Global(r int, p graph.Local) graph.Global { return l.first + l.Layout.Global(r, p) }

// moved returns the label of a vertex; a negative number stays.
func (l highLabels) moved(v graph.Global) graph.Global {
	if v >= 0 {
		v += l.first
	}
	return v
}

// highVerdict validates a tree of a trial after moving all labels.
func (tr trial) highVerdict(l highLabels, parents []graph.Global) (Verdict, error) {
	high := trial{root: l.moved(tr.root)}
	for _, e := range tr.edges {
		high.edges = append(high.edges, graph.NewEdge(l.moved(e.U()), l.moved(e.V())))
	}
	all, err := high.onRanks(setting{l.Ranks(), 2, usual}, l, func(j *Validator, rank int) ([]Verdict, error) {
		own := ownPart(l.Layout, rank, parents)
		for i := range own {
			own[i] = l.moved(own[i])
		}
		v, err := j.Tree(high.root, own)
		return []Verdict{v}, err
	})
	return append(all, Verdict{})[0], err
}

// Trees with the largest labels have the same verdicts as the same trees with small labels.
func TestLargestLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		tr := randomTrial(rng)
		ranks := 2 + rng.IntN(3)
		l := newHighLabels(tr.n, ranks)
		for _, parents := range [][]graph.Global{tr.parents, mutate(rng, tr), mutate(rng, tr), mutate(rng, tr)} {
			low := expect.Value(tr.verdicts(setting{ranks, 2, usual}, slices.Clone(parents)))(t)
			high := expect.Value(tr.highVerdict(l, parents))(t)
			if f, ok := low[0].Fault.(*Fault); ok {
				low[0].Fault = NewFault(f.Rule, l.moved(f.Vertex), l.moved(f.Other), false)
			}
			if f, ok := high.Fault.(*Fault); ok {
				high.Fault = NewFault(f.Rule, f.Vertex, f.Other, false) // the texts of both have no levels
			}
			expect.Must(t, fmt.Sprint(low[0]) == fmt.Sprint(high),
				"%d ranks: verdict %v and, with high labels, %v\n%+v", ranks, low[0], high, tr)
		}
	}
}
