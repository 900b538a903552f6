package kronecker

import (
	"math/bits"
	"slices"
	"testing"
)

func TestScrambleConstantsAreOfficial(t *testing.T) {
	eachRNG(t, func(t *testing.T, g goldenRNG) {
		state := g.Seeded.skip(50, 7, 0)
		if got := drawN(&state, 4); !slices.Equal(got, g.Scramble.Raw4) {
			t.Errorf("draws: %v, want %v", got, g.Scramble.Raw4)
		}
		want := scrambler{uint64(g.Scramble.Val0 + g.Scramble.Val1), uint64(g.Scramble.Mul0), uint64(g.Scramble.Mul1), 44}
		if got := newScrambler(g.Seeded, 20); got != want {
			t.Errorf("scrambler: %x, want %x", got, want)
		}
	})
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		if got, want := newScrambler(g.State, g.Scale).add, uint64(g.Val0+g.Val1); got != want {
			t.Errorf("sum of the constants: %#x, want %#x", got, want)
		}
	})
}

func TestScrambledLabelsAreOfficial(t *testing.T) {
	eachRNG(t, func(t *testing.T, g goldenRNG) {
		for _, c := range g.Scrambled {
			s := newScrambler(g.Seeded, c.Scale)
			if got := s.label(c.In); int64(got) != c.Out {
				t.Errorf("scale %d, vertex %d: label %d, want %d", c.Scale, c.In, got, c.Out)
			}
		}
		if got := bits.Reverse64(uint64(g.Reversed.In)); got != uint64(g.Reversed.Out) {
			t.Errorf("reversal of %#x: %#x, want %#x", g.Reversed.In, got, g.Reversed.Out)
		}
	})
}

// The specification asks for a permutation of the labels: no two vertices may share one.
func TestScrambleIsAPermutation(t *testing.T) {
	for scale := 1; scale <= 14; scale++ {
		s := newScrambler(seeded(2, 3), scale)
		taken := make([]bool, 1<<scale)
		for v := range uint64(1) << scale {
			label := s.label(v)
			if label < 0 || int(label) >= len(taken) || taken[label] {
				t.Fatalf("scale %d, vertex %d: label %d is out of range or taken", scale, v, label)
			}
			taken[label] = true
		}
	}
}
