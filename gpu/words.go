//go:build cuda && cgo

package gpu

import (
	"g500/cuda"
	"g500/graph"
)

// wordPiece is the number of 32-bit words that are copied from the device at a time, 64 MB.
const wordPiece = 1 << 24

// eachWord calls body for pieces of n words in device memory, in order; first is the number of the piece's first.
func eachWord(from cuda.Memory, n int64, body func(first int64, words []uint32)) error {
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

// tree is the result of a search in device memory: parents in label order, of 32 or 64 bits each.
type tree struct {
	parents  cuda.Memory
	vertices int64
	bits     int
}

// Parents copies the tree to host memory.
func (t tree) Parents() ([]graph.Global, error) {
	parents := make([]graph.Global, t.vertices)
	if t.bits == 64 { // as they are on the host
		return parents, cuda.Read(parents, t.parents, 0)
	}
	err := eachWord(t.parents, t.vertices, func(first int64, words []uint32) {
		for i, parent := range words {
			parents[first+int64(i)] = widen(parent)
		}
	})
	return parents, err
}

// widen is a parent as the host writes it.
func widen(parent uint32) graph.Global {
	if parent == cuda.NoVertex {
		return graph.NoParent
	}
	return graph.Global(parent)
}

// bitmap is a bit for each owned label.
type bitmap []uint64

func (b bitmap) has(l graph.Local) bool { return b[l/64]>>(l%64)&1 == 1 }

// connected marks the vertices that have a hub id.
func connected(g *cuda.Graph) (bitmap, error) {
	bits := make(bitmap, (g.Owned()+63)/64)
	err := eachWord(g.HubOf(), g.Owned(), func(first int64, words []uint32) {
		for i, hub := range words {
			if hub != cuda.NoVertex {
				place := first + int64(i)
				bits[place/64] |= 1 << (place % 64)
			}
		}
	})
	return bits, err
}
