//go:build cuda && cgo

package gpu

import (
	"g500/cuda"
	"g500/graph"
)

// paths are the shortest paths of one search on one rank, in label order. They lie on the device until somebody asks
// for them.
type paths struct {
	parents   cuda.Memory // 64 bits a vertex: a label, all ones where it was not reached; 16-byte aligned
	distances cuda.Memory // 32 bits a vertex, single precision
	owned     int64       // vertices
}

// Host copies the paths to Go's memory.
func (p paths) Host() ([]graph.Global, []float32, error) {
	parents, distances := make([]graph.Global, p.owned), make([]float32, p.owned)
	if err := cuda.Read(parents, p.parents, 0); err != nil {
		return nil, nil, err
	}
	return parents, distances, cuda.Read(distances, p.distances, 0)
}

// tree is the parents alone.
func (p paths) tree() tree { return tree{p.parents, p.owned, 64} }
