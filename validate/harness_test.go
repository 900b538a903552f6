// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/lists"
	"g500/partition"
)

// trial is a result to validate, of all ranks: a tree, or shortest paths if there are distances.
type trial struct {
	n         int
	edges     []graph.Edge
	root      graph.Global
	parents   []graph.Global
	directed  bool      // edges are arcs
	weights   []float32 // of edges
	distances []float32
}

// list returns the tuples of the graph.
func (tr trial) list() graph.HostTuples {
	return graph.HostTuples{Edges: tr.edges, Weights: tr.weights, Arcs: tr.directed}
}

// setting is a distribution of a trial over ranks and workers.
type setting struct {
	ranks, workers int
	limit          limits
	first          graph.Global // label of the trial's vertex 0
}

// lastOf returns the label of vertex 0 if the n vertices are the last of a graph of class huge.
func lastOf(n int) graph.Global { return 1<<42 - graph.Global(n) }

// settings returns the settings in which every tree of n vertices is validated.
func settings(n int) []setting {
	all := []setting{{3, 2, usual, lastOf(n)}}
	several := limits{tuples: n/8 + 3, vertices: n/16 + 1, ghosts: n/16 + 2, block: n/32 + 1, hubs: n / 8} // steps
	for _, ranks := range enginetest.Ranks(1, 2, 3, 4, 7) {
		all = append(all, setting{ranks, 1, usual, 0}, setting{ranks, 3, several, 0})
	}
	return all
}

func (s setting) String() string {
	return fmt.Sprintf("ranks=%d workers=%d limits=%v first=%d", s.ranks, s.workers, s.limit, s.first)
}

// label returns the label of a trial's vertex; a negative number stays.
func (s setting) label(v graph.Global) graph.Global {
	if v >= 0 {
		v += s.first
	}
	return v
}

// layout is the layout of the vertices from first on. Other vertices have no owner.
type layout struct {
	partition.Layout // of the same number of vertices from 0 on
	first            graph.Global
}

func (l layout) Vertices() graph.Global                   { return l.first + l.Layout.Vertices() }
func (l layout) Owner(v graph.Global) int                 { return l.Layout.Owner(v - l.first) }
func (l layout) Local(v graph.Global) graph.Local         { return l.Layout.Local(v - l.first) }
func (l layout) Global(r int, p graph.Local) graph.Global { return l.first + l.Layout.Global(r, p) }

// ownPart returns the share of a rank of values by vertex.
func ownPart[T any](s setting, rank int, all []T) (own []T) {
	for v := rank; v < len(all); v += s.ranks {
		own = append(own, all[v])
	}
	return own
}

// ownParents returns a rank's share of the parents, as labels.
func (s setting) ownParents(rank int, parents []graph.Global) []graph.Global {
	return lists.Of(ownPart(s, rank, parents), s.label)
}

// onRanks calls results with a Validator of the trial's graph on each rank, and returns the verdicts, which must be the
// same on every rank, with the trial's vertices.
func (tr trial) onRanks(s setting, results func(v *Validator, rank int) ([]Verdict, error)) ([]Verdict, error) {
	verdicts, list := make([][]Verdict, s.ranks), tr.list()
	list.Edges = lists.Of(tr.edges, func(e graph.Edge) graph.Edge { return graph.NewEdge(s.label(e.U()), s.label(e.V())) })
	err := comm.Loopback(s.ranks, func(t comm.Transport) error {
		of := layout{partition.NewCyclic(graph.Global(tr.n), s.ranks), s.first}
		j, err := newValidator(t, of, enginetest.Share(list, t), s.workers, s.limit)
		if err == nil {
			verdicts[t.Rank()], err = results(j, t.Rank())
		}
		for _, v := range verdicts[t.Rank()] {
			if f, is := v.Fault.(*Fault); is {
				f.Vertex, f.Other = f.Vertex-s.first, max(f.Other-s.first, min(f.Other, -1))
			}
		}
		return err
	})
	for r := range verdicts {
		if got, want := fmt.Sprint(verdicts[r]), fmt.Sprint(verdicts[0]); err == nil && got != want {
			return nil, fmt.Errorf("rank %d has the verdict %s, rank 0 has %s", r, got, want)
		}
	}
	return verdicts[0], err
}

// verdicts validates trees of the trial's graph one after the other.
func (tr trial) verdicts(s setting, trees ...[]graph.Global) ([]Verdict, error) {
	return tr.onRanks(s, func(j *Validator, rank int) (all []Verdict, err error) {
		for _, parents := range trees {
			v, err := j.Tree(s.label(tr.root), s.ownParents(rank, parents))
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		return all, nil
	})
}

// paths validates the trial's shortest paths.
func (tr trial) paths(s setting) (Verdict, error) {
	all, err := tr.onRanks(s, func(j *Validator, rank int) ([]Verdict, error) {
		v, err := j.Paths(s.label(tr.root), s.ownParents(rank, tr.parents), ownPart(s, rank, tr.distances))
		return []Verdict{v}, err
	})
	return append(all, Verdict{})[0], err
}

// verdict validates the trial in every setting, and returns the verdict, which must be the same in all.
func (tr trial) verdict(t *testing.T) Verdict {
	t.Helper()
	var first Verdict
	for i, s := range settings(tr.n) {
		got := expect.Value(tr.verdicts(s, tr.parents))(t)
		if i == 0 {
			first = got[0]
		}
		expect.Equal(t, fmt.Sprint(got[0]), fmt.Sprint(first), s, "and, in the first setting,")
	}
	return first
}

// agreesWith returns an error unless a verdict is the one of the reference implementation.
func (v Verdict) agreesWith(broken map[error]bool, counts Verdict) error {
	fault, _ := v.Fault.(*Fault)
	switch {
	case fault == nil && len(broken) > 0:
		return fmt.Errorf("accepted, and breaks %v", broken)
	case fault == nil && v != counts:
		return fmt.Errorf("counted %+v, right is %+v", v, counts)
	case fault != nil && !broken[fault.Rule]:
		return fmt.Errorf("%v: the broken rules are %v", fault, broken)
	case fault != nil && v != Verdict{Fault: fault}:
		return fmt.Errorf("a broken tree has counts: %+v", v)
	}
	return nil
}

// tuples parses a graph such as "0-1 1-2".
func tuples(text string) []graph.Edge {
	var edges []graph.Edge
	for _, word := range strings.Fields(text) {
		var u, v graph.Global
		if _, err := fmt.Sscanf(word, "%d-%d", &u, &v); err != nil {
			panic(err)
		}
		edges = append(edges, graph.NewEdge(u, v))
	}
	return edges
}

// with returns the trial with some parents changed.
func (tr trial) with(change map[graph.Global]graph.Global) trial {
	tr.parents = slices.Clone(tr.parents)
	for v, p := range change {
		tr.parents[v] = p
	}
	return tr
}

// searched returns the trial with the parents of a breadth-first search: shortest paths of edges of weight 1.
func (tr trial) searched() trial {
	_, tr.parents = enginetest.Shortest(tr.list(), tr.n, tr.root)
	return tr
}

// plainRules is the reference implementation: the literal rules, one after the other, serially. It returns every broken
// rule, and the counts if there is none. Rules that need levels are checked only if all levels exist.
func plainRules(tr trial) (broken map[error]bool, counts Verdict) {
	broken = map[error]bool{}
	if tr.parents[tr.root] != tr.root {
		broken[ErrRoot] = true
	}
	for _, p := range tr.parents {
		if p < -1 || p >= graph.Global(tr.n) {
			broken[ErrRange] = true
		}
	}
	if len(broken) > 0 {
		return broken, Verdict{}
	}
	level := make([]int, tr.n)
	for v, p := range tr.parents {
		if level[v] = plainLevel(tr, graph.Global(v)); level[v] == -1 && p != graph.NoParent {
			broken[ErrCycle] = true
		}
		if p != graph.NoParent && tr.parents[p] == graph.NoParent {
			broken[ErrOrphan] = true
		}
	}
	if len(broken) > 0 {
		return broken, Verdict{}
	}
	return broken, plainTuples(tr, level, broken)
}

// plainLevel returns the number of steps from v to the root, -1 if parents do not lead there.
func plainLevel(tr trial, v graph.Global) int {
	for steps := range tr.n {
		if v == tr.root {
			return steps
		}
		if v = tr.parents[v]; v == graph.NoParent {
			break
		}
	}
	return -1
}

// plainTuples checks the rules on tuples, or on arcs, and counts.
func plainTuples(tr trial, level []int, broken map[error]bool) (counts Verdict) {
	span, levels, tree := ErrSpan, ErrLevels, ErrTreeEdge
	if tr.directed {
		span, levels, tree = ErrArcSpan, ErrArcLevels, ErrArcParent
	}
	leads := map[[2]graph.Global]bool{}
	for _, e := range tr.edges {
		u, v := e.U(), e.V()
		leads[[2]graph.Global{u, v}] = true
		if !tr.directed {
			leads[[2]graph.Global{v, u}] = true
		}
		if level[u] >= 0 {
			counts.EdgesWithLoops++
			if u != v {
				counts.Edges++
			}
		}
		switch out, back := level[u] >= 0 && level[v] < 0, level[u] < 0 && level[v] >= 0; {
		case out, back && !tr.directed:
			broken[span] = true
		case back:
		case level[v] > level[u]+1, level[u] > level[v]+1 && !tr.directed:
			broken[levels] = true
		}
	}
	for v, p := range tr.parents {
		if level[v] == -1 {
			continue
		}
		counts.Reached++
		counts.Levels = max(counts.Levels, level[v]+1)
		if graph.Global(v) != tr.root && !leads[[2]graph.Global{p, graph.Global(v)}] {
			broken[tree] = true
		}
	}
	if len(broken) > 0 {
		return Verdict{}
	}
	return counts
}
