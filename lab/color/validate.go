// SPDX-License-Identifier: Apache-2.0

package color

import (
	"fmt"
	"runtime"
	"slices"

	"g500/internal/par"
	"g500/lab"
)

// validate returns the number of colours and the fault of a colouring, or "". It uses only the edges of the graph.
func validate(g *lab.Graph, colors []uint32, greedy bool) (count int, fault string) {
	if len(colors) != g.Vertices() {
		return 0, fmt.Sprintf("%d of %d vertices have an entry", len(colors), g.Vertices())
	}
	isWrong := func(v int) bool { return vertexFault(g, colors, v) != "" }
	if v := par.First(runtime.GOMAXPROCS(0), len(colors), isWrong); v < len(colors) {
		return 0, vertexFault(g, colors, v)
	}
	most := slices.Max(colors)
	if bound := maxDegree(g) + 1; greedy && int64(most) > bound {
		return 0, fmt.Sprintf("colour %d exceeds the largest degree plus one, %d", most, bound)
	}
	if bound := 8 * uint64(len(colors)); uint64(most) > bound {
		return 0, fmt.Sprintf("colour %d exceeds %d, eight per vertex", most, bound)
	}
	seen := make([]bool, most+1)
	for _, color := range colors {
		if !seen[color] {
			seen[color] = true
			count++
		}
	}
	return count, ""
}

func vertexFault(g *lab.Graph, colors []uint32, v int) string {
	if colors[v] == 0 {
		return fmt.Sprintf("vertex %d has no colour", v)
	}
	for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
		if to := g.Columns[e]; int(to) != v && colors[to] == colors[v] {
			return fmt.Sprintf("vertices %d and %d have an edge, and both colour %d", v, to, colors[v])
		}
	}
	return ""
}
