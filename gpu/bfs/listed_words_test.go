package bfs

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawnWords returns listed words with different indices in random order, most of them with one bit.
func drawnWords(r *rand.Rand, n int) []byte {
	var listed []byte
	place := uint64(0)
	var entries []uint64
	for range n {
		place += 1 + r.Uint64N(1<<r.IntN(12))
		word := uint64(1) << r.IntN(32)
		if r.IntN(4) == 0 {
			word = uint64(r.Uint32())
		}
		entries = append(entries, word<<32|place)
	}
	r.Shuffle(n, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	for _, e := range entries {
		listed = binary.LittleEndian.AppendUint64(listed, e)
	}
	return listed
}

// sortedByPlace returns listed words in the order of indices.
func sortedByPlace(listed []byte) []byte {
	words := slices.Collect(slices.Chunk(listed, listedBytes))
	slices.SortStableFunc(words, func(a, b []byte) int {
		return cmp.Compare(binary.LittleEndian.Uint32(a), binary.LittleEndian.Uint32(b))
	})
	return slices.Concat(words...)
}

// Unpacked words are the packed words in the order of indices. A message that is too short or too long is an error.
func TestListedWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var scratch []uint64
	for n := range 200 {
		listed := drawnWords(r, n)
		var message []byte
		message, scratch = packListed(nil, listed, scratch)
		if len(message) > 3*len(listed)/4 {
			t.Errorf("%d words take %d bytes", n, len(message))
		}
		got := make([]byte, len(listed))
		if err := unpackListed(got, message); err != nil || !slices.Equal(got, sortedByPlace(listed)) {
			t.Fatalf("%d words came back as others (%v)", n, err)
		}
		for cut := range len(message) {
			if unpackListed(got, message[:cut]) == nil {
				t.Fatalf("%d words: the first %d bytes are taken for the whole", n, cut)
			}
		}
		if unpackListed(got, append(message, 0)) == nil {
			t.Errorf("%d words: one more is taken", n)
		}
	}
}

// FuzzListedWords: any message is an error or has words with rising indices.
func FuzzListedWords(f *testing.F) {
	f.Add([]byte{5, 64 + 32, 1, 2, 3, 4}, uint8(2))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, uint8(1))
	f.Fuzz(func(t *testing.T, message []byte, words uint8) {
		listed := make([]byte, listedBytes*int(words))
		if unpackListed(listed, message) == nil && !slices.Equal(listed, sortedByPlace(listed)) {
			t.Errorf("%x gives places out of order", message)
		}
	})
}
