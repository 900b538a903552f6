package sssp

import (
	"container/heap"
	"slices"

	"g500/graph"
)

// dijkstra is the oracle of all engines. Distances are summed in single precision; rounded addition is monotone, so
// settling the nearest vertex first is exact.
func (w oracle) dijkstra(vertices int, root graph.Global) []float32 {
	type end struct {
		to     graph.Global
		weight float32
	}
	neighbours := make([][]end, vertices)
	for i, e := range w.edges {
		neighbours[e.U()] = append(neighbours[e.U()], end{e.V(), w.weights[i]})
		if !w.directed {
			neighbours[e.V()] = append(neighbours[e.V()], end{e.U(), w.weights[i]})
		}
	}
	distances := slices.Repeat([]float32{Unreached}, vertices)
	queue := &paths{{root, 0}}
	for queue.Len() > 0 {
		p := heap.Pop(queue).(path)
		if distances[p.to] != Unreached {
			continue
		}
		distances[p.to] = p.length
		for _, e := range neighbours[p.to] {
			if distances[e.to] == Unreached {
				heap.Push(queue, path{e.to, p.length + e.weight})
			}
		}
	}
	return distances
}

type path struct {
	to     graph.Global
	length float32
}

type paths []path

func (p paths) Len() int           { return len(p) }
func (p paths) Less(i, j int) bool { return p[i].length < p[j].length }
func (p paths) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *paths) Push(x any)        { *p = append(*p, x.(path)) }
func (p *paths) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
