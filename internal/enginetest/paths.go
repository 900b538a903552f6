// SPDX-License-Identifier: Apache-2.0

package enginetest

import (
	"fmt"
	"strings"
	"testing"

	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
)

// PathVertices is the number of vertices of PathTuples.
const PathVertices = 8

// PathTuples is a graph with weights. Vertices 5 and 6 are another component than 0, and 7 is
// isolated:
//
//	0 -.25- 1 -.5- 2   0 -1- 2   2 -0- 3   3 -1e-9- 4   4 -0.1- 4   5 -.5- 6   2 -.625- 1
var PathTuples = graph.HostTuples{
	Edges: []graph.Edge{graph.NewEdge(0, 1), graph.NewEdge(1, 2), graph.NewEdge(0, 2), graph.NewEdge(2, 3),
		graph.NewEdge(3, 4), graph.NewEdge(4, 4), graph.NewEdge(5, 6), graph.NewEdge(2, 1)},
	Weights: []float32{0.25, 0.5, 1, 0, 1e-9, 0.1, 0.5, 0.625},
}

// PathCases are changes of the shortest paths from vertex 0 of this graph, each with a text of the rule that they
// break, "" for none. The change "p3=99" gives vertex 3 the parent 99, "d4=-1" gives vertex 4 the distance -1.
var PathCases = []struct{ Name, Changes, Rule string }{
	{"right", "", ""},
	{"parent out of range", "p3=99", "a parent is a vertex"},
	{"right except a bit above the 32nd", "p3=4294967298", "a parent is a vertex"},
	{"root has another parent", "p0=1", "the root is its own parent"},
	{"root has a distance", "d0=0.5", "kernel 3's output"},
	{"parent was not reached", "p3=5", "rule 1: the tree is one tree"},
	{"cycle of a weight that vanishes, and too short", "p3=4 p4=3 d3=0.5 d4=0.5", "rule 1: the tree has no cycles"},
	{"cycle of weight 0 with the right distances", "p2=3 p3=2", "rule 1: the tree has no cycles"},
	{"another component claimed by a cycle", "p5=6 p6=5 d5=1e30 d6=1e30", "rule 1: the tree has no cycles"},
	{"reached without a distance", "d4=-1", "kernel 3's output"},
	{"distance without a parent", "d5=1", "kernel 3's output"},
	{"infinite distance", "d4=+Inf", "kernel 3's output"},
	{"not a number", "d4=NaN", "kernel 3's output"},
	{"vertex left out", "p4=-1 d4=-1", "rules 3 and 4"},
	{"only the root reached", "p1=-1 p2=-1 p3=-1 p4=-1 d1=-1 d2=-1 d3=-1 d4=-1", "rules 3 and 4"},
	{"longer path", "p2=0 d2=1 d3=1 d4=1", "rule 3 of kernel 3"},
	{"one unit in the last place too long", "d4=0.75000006", "rule 3 of kernel 3"},
	{"the heavier of two edges", "d2=0.875 d3=0.875 d4=0.875", "rule 3 of kernel 3"},
	{"one unit in the last place too short", "d1=0.24999999", "rule 2 of kernel 3"},
	{"parent without an edge", "p4=1", "rule 5"},
	{"a path edge and a tree edge", "p4=1 d1=0.24999999", "rule 5"},
}

// Paths returns the shortest paths with changes.
func Paths(t testing.TB, changes string) engine.HostResult {
	distances, parents := Shortest(PathTuples, PathVertices, 0)
	for _, change := range strings.Fields(changes) {
		v, parent, distance := 0, graph.NoParent, float32(0)
		if _, err := fmt.Sscanf(change, "p%d=%d", &v, &parent); err == nil {
			parents[v] = parent
			continue
		}
		expect.NoError(t, expect.Err(fmt.Sscanf(change, "d%d=%g", &v, &distance)), change)
		distances[v] = distance
	}
	return engine.HostResult{Parents: parents, Distances: distances}
}
