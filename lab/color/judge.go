package color

import (
	"fmt"

	"g500/lab"
)

// judge tells what is wrong with colours, by the edges of the graph alone; "" if nothing is. It counts the colours.
func judge(g *lab.Graph, colors []uint32, greedy bool) (count int, fault string) {
	if len(colors) != g.Vertices() {
		return 0, fmt.Sprintf("%d of %d vertices have a word", len(colors), g.Vertices())
	}
	seen := map[uint32]bool{}
	most := uint32(0)
	for v, color := range colors {
		if color == 0 {
			return 0, fmt.Sprintf("vertex %d has no colour", v)
		}
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			if to := g.Columns[e]; int(to) != v && colors[to] == color {
				return 0, fmt.Sprintf("vertices %d and %d have an edge, and both colour %d", v, to, color)
			}
		}
		seen[color], most = true, max(most, color)
	}
	if bound := maxDegree(g) + 1; greedy && int64(most) > bound {
		return 0, fmt.Sprintf("colour %d is beyond the largest degree and one, %d", most, bound)
	}
	return len(seen), ""
}
