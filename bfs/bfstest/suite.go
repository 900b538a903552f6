package bfstest

import (
	"fmt"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
)

// Launch runs fn on n ranks.
type Launch func(n int, fn func(comm.Transport) error) error

// Run holds an engine to the suite, on each of the given numbers of ranks.
func Run(t *testing.T, engine bfs.New, launch Launch, ranks ...int) {
	for _, n := range ranks {
		for _, c := range Cases() {
			t.Run(fmt.Sprintf("%s/ranks=%d", c.Name, n), func(t *testing.T) {
				err := launch(n, func(tr comm.Transport) error { return Check(tr, engine, c) })
				if err != nil {
					t.Fatal(err)
				}
			})
		}
		for _, g := range goldens(t) {
			t.Run(fmt.Sprintf("%s/ranks=%d", g.name, n), func(t *testing.T) {
				err := launch(n, func(tr comm.Transport) error { return g.check(tr, engine) })
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// Check compares an engine with the twin on one case, for every root of the case, twice round: what one search
// leaves behind must not show in the next.
func Check(t comm.Transport, engine bfs.New, c Case) error {
	mine := share(c.Edges, t)
	e, err := engine(t, mine)
	if err != nil {
		return err
	}
	defer e.Close()
	twin, err := bfs.NewTopDown(t, mine)
	if err != nil {
		return err
	}
	for _, root := range append(c.Roots, c.Roots...) {
		want, err := Search(t, twin, root)
		if err != nil {
			return err
		}
		got, err := Search(t, e, root)
		if err != nil {
			return err
		}
		if err := compare(c.Edges, root, got, want); err != nil {
			return fmt.Errorf("root %d: %w", root, err)
		}
	}
	return checkKeys(t, e, c)
}

// share deals the tuples to the ranks unevenly: kernel 1 must take them as they lie.
func share(edges []graph.Edge, t comm.Transport) graph.HostTuples {
	lo, hi := len(edges)*t.Rank()/t.Size(), len(edges)*(t.Rank()+1)/t.Size()
	if t.Rank() == 0 && t.Size() > 1 {
		return nil
	}
	if t.Rank() == 1 {
		lo = 0
	}
	return edges[lo:hi]
}

// Search runs one search and gathers the whole tree on every rank, by label.
func Search(t comm.Transport, e bfs.Engine, root graph.Global) ([]graph.Global, error) {
	tree, err := e.BFS(root)
	if err != nil {
		return nil, err
	}
	mine, err := tree.Parents()
	if err != nil {
		return nil, err
	}
	layout := e.Layout()
	if len(mine) != layout.Count(t.Rank()) {
		return nil, fmt.Errorf("rank %d: tree has %d entries for %d owned vertices",
			t.Rank(), len(mine), layout.Count(t.Rank()))
	}
	send := make([][]graph.Global, t.Size())
	for r := range send {
		send[r] = mine
	}
	got, err := comm.Exchange(t, send)
	if err != nil {
		return nil, err
	}
	whole := make([]graph.Global, layout.Vertices())
	for r, part := range got {
		for l, parent := range part {
			whole[layout.Global(r, graph.Local(l))] = parent
		}
	}
	return whole, nil
}

// compare checks that two trees have the same levels, that got's parents are neighbours, and that no vertex has a
// parent from which no way leads to the root.
func compare(edges []graph.Edge, root graph.Global, got, want []graph.Global) error {
	if len(got) != len(want) {
		return fmt.Errorf("tree over %d vertices, want %d", len(got), len(want))
	}
	neighbours := map[[2]graph.Global]bool{}
	for _, e := range edges {
		neighbours[[2]graph.Global{e.U(), e.V()}] = true
		neighbours[[2]graph.Global{e.V(), e.U()}] = true
	}
	gotLevels, wantLevels := Levels(root, got), Levels(root, want)
	for v := range got {
		if gotLevels[v] != wantLevels[v] {
			return fmt.Errorf("vertex %d at level %d (parent %d), want level %d", v, gotLevels[v], got[v], wantLevels[v])
		}
		if (got[v] == graph.NoParent) != (gotLevels[v] < 0) {
			return fmt.Errorf("vertex %d, which is not reached, has parent %d", v, got[v])
		}
		child, parent := graph.Global(v), got[v]
		if parent != graph.NoParent && child != root && !neighbours[[2]graph.Global{child, parent}] {
			return fmt.Errorf("vertex %d has parent %d, which is not its neighbour", v, parent)
		}
	}
	return nil
}

// Levels are the distances to the root along a tree's parents, -1 where no such way leads to the root.
func Levels(root graph.Global, parents []graph.Global) []int32 {
	const unknown, none = -2, -1
	levels := make([]int32, len(parents))
	for v := range levels {
		levels[v] = unknown
	}
	levels[root] = none
	if parents[root] == root {
		levels[root] = 0
	}
	var way []graph.Global
	for v := range levels {
		way = way[:0]
		at := graph.Global(v)
		for levels[at] == unknown {
			way = append(way, at)
			levels[at] = none // until known; a cycle comes back to it
			if parents[at] == graph.NoParent {
				break
			}
			at = parents[at]
		}
		for i := len(way) - 1; i >= 0; i-- {
			if levels[at] != none {
				levels[way[i]] = levels[at] + 1
			}
			at = way[i]
		}
	}
	return levels
}

// checkKeys compares HasEdge with the tuples.
func checkKeys(t comm.Transport, e bfs.Engine, c Case) error {
	connected := map[graph.Global]bool{}
	for _, edge := range c.Edges {
		if !edge.SelfLoop() {
			connected[edge.U()], connected[edge.V()] = true, true
		}
	}
	layout := e.Layout()
	for l := range layout.Count(t.Rank()) {
		v := layout.Global(t.Rank(), graph.Local(l))
		if e.HasEdge(graph.Local(l)) != connected[v] {
			return fmt.Errorf("HasEdge(%d) is %v, want %v", v, !connected[v], connected[v])
		}
	}
	return nil
}
