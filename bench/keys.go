// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// keyBatch is the number of candidates that the ranks check in one reduction.
const keyBatch = 256

// sampleKeys draws up to want search keys as the Graph500 reference code does: from the generator's random numbers,
// without repeated vertices and vertices without an edge to another one. If the candidates run out, the list is shorter
// than want, as the specification requires (section "Sampling 64 Search Keys"); the reference code then takes improper
// keys.
func sampleKeys(t comm.Transport, p kronecker.Params, e structure, want int) ([]graph.Global, error) {
	var keys []graph.Global
	seen := map[graph.Global]bool{}
	for first := int64(0); first < int64(p.Vertices()) && len(keys) < want; first += keyBatch {
		batch := make([]graph.Global, min(keyBatch, int64(p.Vertices())-first))
		for i := range batch {
			batch[i] = p.KeyCandidate(first + int64(i))
		}
		proper, err := connected(t, e, batch)
		if err != nil {
			return nil, err
		}
		for i, v := range batch {
			if proper[i] && !seen[v] && len(keys) < want {
				seen[v] = true
				keys = append(keys, v)
			}
		}
	}
	return keys, nil
}

// missed returns an error that names a vertex with an edge, nil if there is none. It is collective.
func missed(t comm.Transport, e structure) error {
	layout := e.Layout()
	lowest := layout.Vertices()
	for v := range layout.Count(t.Rank()) {
		if e.HasEdge(graph.Local(v)) {
			lowest = min(lowest, layout.Global(t.Rank(), graph.Local(v)))
		}
	}
	first, err := comm.Reduce(t, int64(lowest), comm.Min)
	if err != nil || first == int64(layout.Vertices()) {
		return err
	}
	return fmt.Errorf("no search key was drawn that has an edge to another vertex, because few vertices have one: "+
		"name roots in a file (--roots), such as vertex %d", first)
}

// connected reports for each vertex whether it has an edge to another vertex. It is collective.
func connected(t comm.Transport, e structure, vertices []graph.Global) ([]bool, error) {
	layout := e.Layout()
	flags := make([]bool, len(vertices))
	for i, v := range vertices {
		flags[i] = v < layout.Vertices() && layout.Owner(v) == t.Rank() && e.HasEdge(layout.Local(v))
	}
	return anyRank(t, flags...)
}

// anyRank returns flags with each flag set that is set on some rank. It is collective.
func anyRank(t comm.Transport, flags ...bool) ([]bool, error) {
	counts := make([]int64, len(flags))
	for i, flag := range flags {
		if flag {
			counts[i] = 1
		}
	}
	err := t.AllReduce(counts, comm.Max)
	for i, n := range counts {
		flags[i] = n > 0
	}
	return flags, err
}
