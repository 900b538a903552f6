package gpu

import (
	"g500/bench"
	"g500/graph"
	"g500/kronecker"
)

// MaxVertices bounds the labels on the device. A parent is a 32-bit word whose highest value means none; kernel 1
// counts labels in 31 bits.
const MaxVertices = 1<<31 - 1

// Bytes of device memory for each of what is counted.
const (
	colBytes    = 4      // a directed edge: its far end
	rowBytes    = 8 + 4  // a vertex with an edge: where its row begins, its label
	hubOfBytes  = 4      // a label: its hub id
	searchBytes = 40 + 8 // a vertex: columns and state of a search, the result
	judgeBytes  = 10     // a label
	workBytes   = 2      // a tuple: kernel 1's working memory at least; it takes more where there is more
	spare       = 1 << 29
)

// Memory estimates a run's device memory. Vertices without an edge are counted as if they had one.
func Memory(p kronecker.Params, _ int, validated bool) bench.Plan {
	tuples, vertices := p.Edges(), int64(p.Vertices())
	plan := bench.Plan{
		Tuples: tuples * int64(graph.EdgeBytes),
		Engine: structure(tuples, vertices) + max(searchBytes*vertices, workBytes*tuples) + spare,
	}
	if validated {
		plan.Judge = judgeBytes * vertices
	}
	return plan
}

// structure is the size of the searchable graph at most.
func structure(tuples, vertices int64) int64 {
	return colBytes*2*tuples + (rowBytes+hubOfBytes)*vertices
}
