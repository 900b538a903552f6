package validate

import (
	"slices"

	"g500/graph"
)

// plainBFS returns the parents of a serial breadth-first search.
func plainBFS(n int, edges []graph.Edge, root graph.Global) []graph.Global {
	both := slices.Clone(edges)
	for _, e := range edges {
		both = append(both, graph.NewEdge(e.V(), e.U()))
	}
	return plainArcBFS(n, both, root)
}

// plainArcBFS is plainBFS along arcs.
func plainArcBFS(n int, arcs []graph.Edge, root graph.Global) []graph.Global {
	neighbours := make([][]graph.Global, n)
	for _, e := range arcs {
		neighbours[e.U()] = append(neighbours[e.U()], e.V())
	}
	parents := slices.Repeat([]graph.Global{graph.NoParent}, n)
	parents[root] = root
	for queue := []graph.Global{root}; len(queue) > 0; queue = queue[1:] {
		for _, v := range neighbours[queue[0]] {
			if parents[v] == graph.NoParent {
				parents[v] = queue[0]
				queue = append(queue, v)
			}
		}
	}
	return parents
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
