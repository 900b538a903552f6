package validate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// farEnd is the last vertices of a graph of class huge, which the ranks own one by one. Others have no owner.
type farEnd struct {
	partition.Layout              // of as many vertices from 0 on
	first            graph.Global // label
}

func newFarEnd(n, ranks int) farEnd {
	return farEnd{partition.NewCyclic(graph.Global(n), ranks), 1<<42 - graph.Global(n)}
}

func (l farEnd) Vertices() graph.Global                   { return 1 << 42 }
func (l farEnd) Owner(v graph.Global) int                 { return l.Layout.Owner(v - l.first) }
func (l farEnd) Local(v graph.Global) graph.Local         { return l.Layout.Local(v - l.first) }
func (l farEnd) Global(r int, p graph.Local) graph.Global { return l.first + l.Layout.Global(r, p) }

// moved is a label at the far end; what is no label stays.
func (l farEnd) moved(v graph.Global) graph.Global {
	if v < 0 {
		return v
	}
	return l.first + v
}

// verdictThere validates a tree of a trial whose labels are at the far end.
func (tr trial) verdictThere(l farEnd, parents []graph.Global) (verdict Verdict, err error) {
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

// Trees of the largest labels have the verdicts that the same trees have at small ones.
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
			far, err := tr.verdictThere(l, parents)
			if err != nil {
				t.Fatal(err)
			}
			if err := sameThere(l, near[0], far); err != nil {
				t.Fatalf("%d ranks: %v\n%+v", ranks, err, tr)
			}
		}
	}
}

// sameThere compares the verdict on a tree with that at the far end.
func sameThere(l farEnd, near, far Verdict) error {
	var a, b *Fault
	if errors.As(near.Fault, &a) != errors.As(far.Fault, &b) {
		return fmt.Errorf("verdicts %v and, at the far end, %v", near.Fault, far.Fault)
	}
	if a != nil && (a.Rule != b.Rule || l.moved(a.Vertex) != b.Vertex || l.moved(a.Other) != b.Other) {
		return fmt.Errorf("%v and, at the far end, %v", a, b)
	}
	near.Fault, far.Fault = nil, nil
	if near != far {
		return fmt.Errorf("counts %+v and, at the far end, %+v", near, far)
	}
	return nil
}
