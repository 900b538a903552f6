// SPDX-License-Identifier: Apache-2.0

package csr_test

import (
	"testing"

	"g500/graph"
	"g500/graph/csr"
)

// plainGraph is the reference: neighbours without duplicates, degrees with them.
type plainGraph struct {
	neighbours map[graph.Global]map[graph.Global]bool
	degree     map[graph.Global]int
}

func plain(edges []graph.Edge) plainGraph {
	g := plainGraph{map[graph.Global]map[graph.Global]bool{}, map[graph.Global]int{}}
	for _, e := range edges {
		if e.U() != e.V() {
			g.add(e.U(), e.V())
			g.add(e.V(), e.U())
			g.degree[e.U()]++
			g.degree[e.V()]++
		}
	}
	return g
}

func (g plainGraph) add(u, v graph.Global) {
	if g.neighbours[u] == nil {
		g.neighbours[u] = map[graph.Global]bool{}
	}
	g.neighbours[u][v] = true
}

// plainArcs returns the references of rows of sources and of targets. Degrees count arcs in both directions.
func plainArcs(edges []graph.Edge) (sources, targets plainGraph) {
	sources, targets = plain(edges), plain(edges)
	clear(sources.neighbours)
	clear(targets.neighbours)
	for _, e := range edges {
		if e.U() != e.V() {
			sources.add(e.V(), e.U())
			targets.add(e.U(), e.V())
		}
	}
	return sources, targets
}

// checkJoined: a directed graph has no separate leaves.
func checkJoined[P csr.Pos](t *testing.T, parts []*csr.Graph[P]) {
	t.Helper()
	for r, g := range parts {
		if g.OwnInner() != g.Connected() || !g.Directed() {
			t.Errorf("rank %d: %d of %d vertices are no leaves", r, g.OwnInner(), g.Connected())
		}
	}
}
