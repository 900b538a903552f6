// SPDX-License-Identifier: Apache-2.0

package bfstest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
)

// Launch runs fn on n ranks.
type Launch func(n int, fn func(comm.Transport) error) error

// suite returns the prepared cases and the golden graphs, which are made once per test program.
var suite = sync.OnceValue(func() (all []prepared) {
	for _, c := range Cases() {
		all = append(all, prepare(c, false))
	}
	return append(all, readGoldens()...)
})

// directedSuite returns the prepared cases of directed graphs: the edges of all cases as arcs, and cases for arcs.
var directedSuite = sync.OnceValue(func() (all []prepared) {
	for _, c := range DirectedCases() {
		all = append(all, prepare(c, true))
	}
	return all
})

// Run runs the suite for an engine, on each of the given numbers of ranks.
func Run(t *testing.T, engine bfs.New, launch Launch, ranks ...int) {
	runAll(t, "", suite(), engine, launch, ranks)
}

// RunDirected is Run for directed graphs.
func RunDirected(t *testing.T, engine bfs.New, launch Launch, ranks ...int) {
	runAll(t, "directed/", directedSuite(), engine, launch, ranks)
}

func runAll(t *testing.T, name string, cases []prepared, engine bfs.New, launch Launch, ranks []int) {
	for _, n := range ranks {
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s%s/ranks=%d", name, c.Name, n), func(t *testing.T) {
				expect.NoError(t, launch(n, func(tr comm.Transport) error { return c.check(tr, engine) }))
			})
		}
	}
}

// Check compares an engine with this package's reference search on one case, for every root of the case, twice, because
// a search must not depend on earlier searches.
func Check(t comm.Transport, engine bfs.New, c Case) error {
	return prepare(c, false).check(t, engine)
}

func (c prepared) check(t comm.Transport, engine bfs.New) error {
	e, err := engine(t, graph.HostTuples{Edges: share(c.Edges, t), Arcs: c.directed})
	if err != nil {
		return err
	}
	defer e.Close()
	for i := range 2 * len(c.Roots) {
		root := c.Roots[i%len(c.Roots)]
		got, err := Search(t, e, root)
		if err != nil {
			return err
		}
		if err := c.compare(root, got, c.levels[i%len(c.Roots)]); err != nil {
			return fmt.Errorf("root %d: %w", root, err)
		}
	}
	return c.checkKeys(t, e)
}

// share returns a rank's share of the tuples, which is uneven: kernel 1 must accept any distribution.
func share(edges []graph.Edge, t comm.Transport) []graph.Edge {
	lo, hi := len(edges)*t.Rank()/t.Size(), len(edges)*(t.Rank()+1)/t.Size()
	if t.Rank() == 0 && t.Size() > 1 {
		return nil
	}
	if t.Rank() == 1 {
		lo = 0
	}
	return edges[lo:hi]
}

// Search runs one search and returns the complete tree on every rank, by label.
func Search(t comm.Transport, e engine.Engine, root graph.Global) ([]graph.Global, error) {
	found, err := e.Search(root)
	if err != nil {
		return nil, err
	}
	tree, err := found.Host()
	if err != nil {
		return nil, err
	}
	mine, layout := tree.Parents, e.Layout()
	if len(mine) != layout.Count(t.Rank()) {
		return nil, fmt.Errorf("rank %d: tree has %d entries for %d owned vertices",
			t.Rank(), len(mine), layout.Count(t.Rank()))
	}
	got, err := comm.Exchange(t, slices.Repeat([][]graph.Global{mine}, t.Size()))
	if err != nil {
		return nil, err
	}
	all := make([]graph.Global, layout.Vertices())
	for r, part := range got {
		for l, parent := range part {
			all[layout.Global(r, graph.Local(l))] = parent
		}
	}
	return all, nil
}

// compare checks that a tree has the correct levels, and that parents are neighbours and lead to the root.
func (c prepared) compare(root graph.Global, got []graph.Global, want []int32) error {
	if len(got) != len(want) {
		return fmt.Errorf("tree over %d vertices, want %d", len(got), len(want))
	}
	levels := Levels(root, got)
	for v, parent := range got {
		child := graph.Global(v)
		if levels[v] != want[v] {
			return fmt.Errorf("vertex %d at level %d (parent %d), want level %d", v, levels[v], parent, want[v])
		}
		if (parent == graph.NoParent) != (levels[v] < 0) {
			return fmt.Errorf("vertex %d, which is not reached, has parent %d", v, parent)
		}
		from, to := parent, child
		if !c.directed { // the child has the shorter list in most cases
			from, to = child, parent
		}
		if parent != graph.NoParent && child != root && !slices.Contains(c.neighbours[from], to) {
			return fmt.Errorf("vertex %d has parent %d, which no edge joins to it", v, parent)
		}
	}
	return nil
}

// Levels returns the distances to the root along a tree's parents, -1 if parents do not lead to the root.
func Levels(root graph.Global, parents []graph.Global) []int32 {
	const none = graph.NoParent
	child, sibling := slices.Repeat([]graph.Global{none}, len(parents)), make([]graph.Global, len(parents))
	for v, p := range parents {
		if v := graph.Global(v); p != none && v != root {
			child[p], sibling[v] = v, child[p]
		}
	}
	levels := slices.Repeat([]int32{-1}, len(parents))
	if parents[root] != root {
		return levels
	}
	levels[root] = 0
	for queue := []graph.Global{root}; len(queue) > 0; queue = queue[1:] {
		for v := child[queue[0]]; v != none; v = sibling[v] {
			levels[v] = levels[queue[0]] + 1
			queue = append(queue, v)
		}
	}
	return levels
}

// checkKeys compares HasEdge with the tuples.
func (c prepared) checkKeys(t comm.Transport, e engine.Engine) error {
	layout := e.Layout()
	for l := range layout.Count(t.Rank()) {
		v := layout.Global(t.Rank(), graph.Local(l))
		if want := len(c.neighbours[v]) > 0; e.HasEdge(graph.Local(l)) != want {
			return fmt.Errorf("HasEdge(%d) is %v, want %v", v, !want, want)
		}
	}
	return nil
}
