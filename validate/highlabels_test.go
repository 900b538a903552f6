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
				low[0].Fault = NewFault(f.Rule, l.moved(f.Vertex), l.moved(f.Other))
			}
			if f, ok := high.Fault.(*Fault); ok {
				high.Fault = NewFault(f.Rule, f.Vertex, f.Other) // the texts of both have no levels
			}
			if fmt.Sprint(low[0]) != fmt.Sprint(high) {
				t.Fatalf("%d ranks: verdict %v and, with high labels, %v\n%+v", ranks, low[0], high, tr)
			}
		}
	}
}
