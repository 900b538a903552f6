package validate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// farEnd is a layout of the last vertices of a graph of class huge. Other vertices have no owner.
type farEnd struct {
	partition.Layout              // of the same number of vertices from 0 on
	first            graph.Global // label
}

func newFarEnd(n, ranks int) farEnd {
	return farEnd{partition.NewCyclic(graph.Global(n), ranks), 1<<42 - graph.Global(n)}
}

func (l farEnd) Vertices() graph.Global                   { return 1 << 42 }
func (l farEnd) Owner(v graph.Global) int                 { return l.Layout.Owner(v - l.first) }
func (l farEnd) Local(v graph.Global) graph.Local         { return l.Layout.Local(v - l.first) }
func (l farEnd) Global(r int, p graph.Local) graph.Global { return l.first + l.Layout.Global(r, p) }

// moved returns a label at the far end; a negative number stays.
func (l farEnd) moved(v graph.Global) graph.Global {
	if v >= 0 {
		v += l.first
	}
	return v
}

// farVerdict validates a tree of a trial with all labels moved to the far end.
func (tr trial) farVerdict(l farEnd, parents []graph.Global) (verdict Verdict, err error) {
	err = comm.Loopback(l.Ranks(), func(t comm.Transport) error {
		var edges []graph.Edge
		for _, e := range edgePart(tr.edges, t.Rank(), t.Size()) {
			edges = append(edges, graph.NewEdge(l.moved(e.U()), l.moved(e.V())))
		}
		j, err := New(t, l, graph.HostTuples(edges), 2)
		if err != nil {
			return err
		}
		own := ownPart(l.Layout, t.Rank(), parents)
		for i := range own {
			own[i] = l.moved(own[i])
		}
		v, err := j.Tree(l.moved(tr.root), own)
		if t.Rank() == 0 {
			verdict = v
		}
		return err
	})
	return verdict, err
}

// Trees with the largest labels have the same verdicts as the same trees with small labels.
func TestLargestLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		tr := randomTrial(rng)
		ranks := 2 + rng.IntN(3)
		l := newFarEnd(tr.n, ranks)
		for _, parents := range [][]graph.Global{tr.parents, mutate(rng, tr), mutate(rng, tr), mutate(rng, tr)} {
			near, err := tr.verdicts(setting{ranks, 2, usual}, slices.Clone(parents))
			if err != nil {
				t.Fatal(err)
			}
			far, err := tr.farVerdict(l, parents)
			if err != nil {
				t.Fatal(err)
			}
			if f, ok := near[0].Fault.(*Fault); ok {
				near[0].Fault = NewFault(f.Rule, l.moved(f.Vertex), l.moved(f.Other))
			}
			if f, ok := far.Fault.(*Fault); ok {
				far.Fault = NewFault(f.Rule, f.Vertex, f.Other) // the texts of both have no levels
			}
			if fmt.Sprint(near[0]) != fmt.Sprint(far) {
				t.Fatalf("%d ranks: verdict %v and, at the far end, %v\n%+v", ranks, near[0], far, tr)
			}
		}
	}
}
