// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"

	"g500/internal/par"
)

// validate returns the fault of a result, or "". Distances must equal the reference. The source must be its own
// parent, each parent must have an edge to its child, and the depths by parents must equal the distances.
func (t truth) validate(g *Graph, r Result, workers int) string {
	distances := r.Distances
	if distances == nil {
		if len(r.Parents) != g.Vertices() {
			return fmt.Sprintf("there are %d parents of %d vertices", len(r.Parents), g.Vertices())
		}
		if fault := treeFault(g, t.source, r.Parents, workers); fault != "" {
			return fault
		}
		distances = depths(t.source, r.Parents)
		for v, d := range distances {
			if d == None && r.Parents[v] != None {
				return fmt.Sprintf("the parents of vertex %d do not lead to source %d", v, t.source)
			}
		}
	}
	if len(distances) != g.Vertices() {
		return fmt.Sprintf("there are %d distances of %d vertices", len(distances), g.Vertices())
	}
	if checksum(distances, workers) == t.sum {
		return ""
	}
	for v, want := range g.Distances(t.source) {
		if distances[v] != want {
			return fmt.Sprintf("vertex %d is at distance %s, not %s", v, distanceText(want), distanceText(distances[v]))
		}
	}
	return "the graph has changed since it was searched"
}

func distanceText(d uint32) string {
	if d == None {
		return "infinite"
	}
	return fmt.Sprint(d)
}

// treeFault returns a fault if a parent has no edge to its child, or "".
func treeFault(g *Graph, source uint32, parents []uint32, workers int) string {
	if parents[source] != source {
		return fmt.Sprintf("the parent of source %d is %d, not itself", source, int32(parents[source]))
	}
	joined := make([]bool, len(parents)) // written only by the worker that has the parent
	joined[source] = true
	par.For(workers, len(parents), pieceOf(len(parents), workers), func(_, lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			for _, to := range g.Row(u) {
				if parents[to] == u && to != u {
					joined[to] = true
				}
			}
		}
	})
	for v, parent := range parents {
		if parent != None && !joined[v] {
			return fmt.Sprintf("vertex %d has parent %d, from which no edge leads to it", v, parent)
		}
	}
	return ""
}

// depths returns the number of steps from each vertex to the source by its parents, or None if they do not lead there.
func depths(source uint32, parents []uint32) []uint32 {
	const pending = None - 1
	d := make([]uint32, len(parents))
	for v, parent := range parents {
		d[v] = pending
		if parent == None {
			d[v] = None
		}
	}
	d[source] = 0
	var path []uint32
	for v := range parents {
		path = path[:0]
		at := uint32(v)
		for d[at] == pending && len(path) <= len(parents) {
			path = append(path, at)
			at = parents[at]
		}
		depth := d[at]
		if depth == pending {
			depth = None // a cycle
		}
		for i := len(path) - 1; i >= 0; i-- {
			if depth != None {
				depth++
			}
			d[path[i]] = depth
		}
	}
	return d
}
