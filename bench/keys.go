package bench

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// keyBatch is how many candidates the ranks look at between two reductions.
const keyBatch = 256

// sampleKeys draws up to want search keys as the official program does: candidates from the
// generator's own random numbers; those without an edge to another vertex, and those drawn before, are passed
// over. Where the official program runs out of candidates and takes improper ones, the list is shorter than
// want, as the specification requires (section "Sampling 64 Search Keys").
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

// missed explains that no key was drawn although some vertex has an edge; it is nil if none has. It is collective.
func missed(t comm.Transport, e structure) error {
	layout := e.Layout()
	lowest := []int64{int64(layout.Vertices())}
	for v := range layout.Count(t.Rank()) {
		if e.HasEdge(graph.Local(v)) {
			lowest[0] = min(lowest[0], int64(layout.Global(t.Rank(), graph.Local(v))))
		}
	}
	err := t.AllReduce(lowest, comm.Min)
	if err != nil || lowest[0] == int64(layout.Vertices()) {
		return err
	}
	return fmt.Errorf("no search key was drawn that has an edge to another vertex, because few vertices have one: "+
		"name roots in a file (--roots), such as vertex %d", lowest[0])
}

// connected reports which vertices have an edge to another vertex: each owner says so of its own.
func connected(t comm.Transport, e structure, vertices []graph.Global) ([]bool, error) {
	layout := e.Layout()
	flags := make([]int64, len(vertices))
	for i, v := range vertices {
		if v < layout.Vertices() && layout.Owner(v) == t.Rank() && e.HasEdge(layout.Local(v)) {
			flags[i] = 1
		}
	}
	if err := t.AllReduce(flags, comm.Max); err != nil {
		return nil, err
	}
	proper := make([]bool, len(vertices))
	for i, f := range flags {
		proper[i] = f == 1
	}
	return proper, nil
}
