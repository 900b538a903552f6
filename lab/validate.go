// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"slices"
	"sync/atomic"

	"g500/internal/par"
)

// validate returns the fault of a result, or "". Distances must equal the reference. The source must be its own
// parent, each parent must have an edge to its child, and the depths by parents must equal the distances.
func (t truth) validate(g *Graph, r Result) string {
	distances := r.Distances
	if distances == nil {
		if len(r.Parents) != g.Vertices() {
			return fmt.Sprintf("there are %d parents of %d vertices", len(r.Parents), g.Vertices())
		}
		if fault := treeFault(g, t.source, r.Parents); fault != "" {
			return fault
		}
		distances = depths(t.source, r.Parents)
		apart := func(v int) bool { return distances[v] == None && r.Parents[v] != None }
		if v := par.First(cores, g.Vertices(), apart); v < g.Vertices() {
			return fmt.Sprintf("the parents of vertex %d do not lead to source %d", v, t.source)
		}
	}
	if len(distances) != g.Vertices() {
		return fmt.Sprintf("there are %d distances of %d vertices", len(distances), g.Vertices())
	}
	if checksum(distances) == t.sum {
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
func treeFault(g *Graph, source uint32, parents []uint32) string {
	if parents[source] != source {
		return fmt.Sprintf("the parent of source %d is %d, not itself", source, int32(parents[source]))
	}
	hasEdge := func(v int) bool { return slices.Contains(g.Row(uint32(v)), parents[v]) }
	if !g.Symmetric {
		joined := g.joined(parents)
		hasEdge = func(v int) bool { return joined[v] }
	}
	v := par.First(cores, len(parents), func(v int) bool {
		return parents[v] != None && uint32(v) != source && (parents[v] == uint32(v) || !hasEdge(v))
	})
	if v == len(parents) {
		return ""
	}
	return fmt.Sprintf("vertex %d has parent %d, from which no edge leads to it", v, parents[v])
}

// joined has true for each vertex to which an edge leads from its parent.
func (g *Graph) joined(parents []uint32) []bool {
	joined := make([]bool, len(parents)) // written only by the worker that has the parent
	each(len(parents), func(u int) {
		for _, to := range g.Row(uint32(u)) {
			if parents[to] == uint32(u) {
				joined[to] = true
			}
		}
	})
	return joined
}

// depths returns the number of steps from each vertex to the source by its parents, or None if they do not lead there.
// Several workers may go along one path: they find the same depths.
func depths(source uint32, parents []uint32) []uint32 {
	const pending = None - 1
	d := slices.Repeat([]uint32{pending}, len(parents))
	d[source] = 0
	par.For(cores, len(parents), pieceOf(len(parents)), func(_, lo, hi int) {
		var path []uint32
		for v := lo; v < hi; v++ {
			path = path[:0]
			at, depth := uint32(v), uint32(pending)
			for len(path) <= len(parents) {
				if depth = atomic.LoadUint32(&d[at]); depth != pending {
					break
				}
				if path = append(path, at); parents[at] == None {
					depth = None
					break
				}
				at = parents[at]
			}
			if depth == pending {
				depth = None // a cycle
			}
			for _, v := range slices.Backward(path) {
				if depth != None {
					depth++
				}
				atomic.StoreUint32(&d[v], depth)
			}
		}
	})
	return d
}
