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
	"g500/partition"
)

// Launch runs fn on n ranks.
type Launch func(n int, fn func(comm.Transport) error) error

var (
	suite     []prepared
	madeSuite sync.Once // per test program
)

// makeSuite prepares the cases and the golden graphs.
func makeSuite(t *testing.T) {
	for _, c := range Cases() {
		suite = append(suite, prepare(c, false))
	}
	suite = append(suite, readGoldens(t)...)
}

// directedSuite returns the prepared cases of directed graphs: the edges of all cases as arcs, and cases for arcs.
var directedSuite = sync.OnceValue(func() (all []prepared) {
	for _, c := range DirectedCases() {
		all = append(all, prepare(c, true))
	}
	return all
})

// Run runs the suite for an engine, on each of the given numbers of ranks.
func Run(t *testing.T, engine bfs.New, launch Launch, ranks ...int) {
	madeSuite.Do(func() { makeSuite(t) })
	runAll(t, "", suite, engine, launch, ranks)
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
		found, err := e.Search(root)
		if err != nil {
			return err
		}
		tree, err := found.Host()
		if err != nil {
			return err
		}
		if err := c.compare(e.Layout(), t.Rank(), root, tree.Parents, c.levels[i%len(c.Roots)]); err != nil {
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

// compare checks the parents of a rank's vertices, given the correct levels: each is a neighbour one level above.
func (c prepared) compare(layout partition.Layout, rank int, root graph.Global, parents []graph.Global,
	levels []int32) error {
	if int(layout.Vertices()) != len(levels) || len(parents) != layout.Count(rank) {
		return fmt.Errorf("rank %d has %d parents for %d of %d vertices, want %d vertices", rank, len(parents),
			layout.Count(rank), layout.Vertices(), len(levels))
	}
	for l, parent := range parents {
		v := layout.Global(rank, graph.Local(l))
		from, to := parent, v
		if !c.directed { // the child has the shorter list in most cases
			from, to = v, parent
		}
		switch {
		case levels[v] == 0 && parent == root, levels[v] < 0 && parent == graph.NoParent:
		case levels[v] <= 0 || parent == graph.NoParent || levels[parent] != levels[v]-1:
			return fmt.Errorf("vertex %d, which is at level %d, has parent %d", v, levels[v], parent)
		case !slices.Contains(c.neighbours[from], to):
			return fmt.Errorf("vertex %d has parent %d, which no edge joins to it", v, parent)
		}
	}
	return nil
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
