//go:build cuda && cgo

package device

import "g500/cuda"

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
