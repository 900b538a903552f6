// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"g500/cuda"
	"g500/graph"
)

// Tree is the result of a search in device memory: parents by owned label, with 32 or 64 bits each.
type Tree struct {
	Words    cuda.Memory
	Vertices int64
	Bits     int
}

// Parents copies the tree to host memory.
func (t Tree) Parents() ([]graph.Global, error) {
	parents := make([]graph.Global, t.Vertices)
	if t.Bits == 64 { // the same format as on the host
		return parents, cuda.Read(parents, t.Words, 0)
	}
	err := EachWord(t.Words, t.Vertices, func(first int64, words []uint32) {
		for i, parent := range words {
			if parents[first+int64(i)] = graph.Global(parent); parent == cuda.NoVertex {
				parents[first+int64(i)] = graph.NoParent
			}
		}
	})
	return parents, err
}

// Paths are the shortest paths of one search on one rank, in device memory and by owned label.
type Paths struct {
	Tree      Tree        // 64-bit parents, 16-byte aligned
	Distances cuda.Memory // single precision
}

// Host copies the paths to host memory.
func (p Paths) Host() ([]graph.Global, []float32, error) {
	parents, err := p.Tree.Parents()
	if err != nil {
		return nil, nil, err
	}
	distances := make([]float32, len(parents))
	return parents, distances, cuda.Read(distances, p.Distances, 0)
}

// wordPiece is the number of 32-bit words that are copied from the device at a time: 64 MB.
const wordPiece = 1 << 24

// EachWord calls body for pieces of n words in device memory, in order. first is the number of the first word of a
// piece.
func EachWord(from cuda.Memory, n int64, body func(first int64, words []uint32)) error {
	words := make([]uint32, min(n, wordPiece))
	for first := int64(0); first < n; first += wordPiece {
		words = words[:min(wordPiece, n-first)]
		if err := cuda.Read(words, from, first); err != nil {
			return err
		}
		body(first, words)
	}
	return nil
}
