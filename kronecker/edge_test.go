package kronecker

import (
	"math"
	"math/big"
	"testing"

	"g500/graph"
)

func TestTracedEdgesAreOfficial(t *testing.T) {
	eachRNG(t, func(t *testing.T, g goldenRNG) {
		gen := Params{10, 16, g.Seed1, g.Seed2}.generator()
		for _, c := range g.Traced {
			start := gen.stream(c.Edge)
			if start != c.Start {
				t.Fatalf("edge %d starts at %v, want %v", c.Edge, start, c.Start)
			}
			stream := start
			for level, want := range c.Squares {
				if i, j := drawQuadrant(&stream); 2*i+j != want {
					t.Errorf("edge %d, level %d: quadrant (%d,%d), want number %d", c.Edge, level, i, j, want)
				}
			}
			stream = start
			if src, tgt := drawEnds(&stream, 10); src != c.Unscrambled[0] || tgt != c.Unscrambled[1] {
				t.Errorf("edge %d: ends %d %d, want %v", c.Edge, src, tgt, c.Unscrambled)
			}
			e, w := gen.edge(start)
			if want := newEdge(c.Labels); e != want || math.Float32bits(w) != uint32(c.Weight) {
				t.Errorf("edge %d: <%d, %d> with weight %g, want %v with bits %#x", c.Edge, e.U(), e.V(), w, c.Labels, c.Weight)
			}
		}
	})
}

func newEdge(labels [2]int64) graph.Edge {
	return graph.NewEdge(graph.Global(labels[0]), graph.Global(labels[1]))
}

func TestWeightOfDrawIsOfficial(t *testing.T) {
	eachRNG(t, func(t *testing.T, g goldenRNG) {
		for _, c := range g.Weights {
			if got := math.Float32bits(weight(c.Draw)); got != uint32(c.Bits) {
				t.Errorf("draw %d: weight bits %#x, want %#x", c.Draw, got, c.Bits)
			}
		}
	})
}

// Draws below 3647 = (2^31-1) mod 10000 are drawn again, so that all remainders are equally likely.
func TestDrawsBelowTheRemainderOfTheModulusAreDrawnAgain(t *testing.T) {
	for first, draws := range map[int64]int{0: 2, 3646: 2, 3647: 1, modulus - 1: 1} {
		got, want := stateBefore(first), stateBefore(first)
		drawQuadrant(&got)
		if drawN(&want, draws); got != want {
			t.Errorf("after a level that begins with draw %d: state %v, want the one after %d draws, %v",
				first, got, draws, want)
		}
	}
}

// stateBefore is a state whose next draw is the one given.
func stateBefore(draw int64) rng {
	p := big.NewInt(modulus)
	z := new(big.Int).ModInverse(big.NewInt(recent), p)
	z.Mul(z, big.NewInt(draw)).Mod(z, p)
	return rng{z.Uint64(), 1, 1, 1, 0}
}
