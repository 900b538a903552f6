package gpu

import (
	"testing"

	"g500/bench"
	"g500/kronecker"
)

// largestScale is that of a validated official run on so many ranks, each with so much device memory.
func largestScale(ranks int, memory int64) int {
	p := kronecker.Params{EdgeFactor: 16, Seed1: 2, Seed2: 3}
	return bench.LargestScale(bench.Kit{Memory: Memory, MaxScale: MaxScale}, p, ranks, true, memory)
}

// The cards for which the engine is made, with the memory that their drivers report, and the largest official graph
// that has to fit when validated.
func TestLargestScaleOfACard(t *testing.T) {
	for _, card := range []struct {
		name  string
		bytes int64
		scale int
	}{
		{"H200", 139 << 30, 28},
		{"H100", 79 << 30, 27},
		{"A100 of 40 GB", 39 << 30, 26},
		{"V100 of 16 GB", 15 << 30, 25},
	} {
		if got := largestScale(1, card.bytes); got != card.scale {
			t.Errorf("%s: scale %d fits, want %d", card.name, got, card.scale)
		}
	}
}

// A result of 64 bits a parent takes 4 bytes a vertex more, and is the usual one.
func TestResultBitsTakeMemory(t *testing.T) {
	p := kronecker.Params{Scale: 26, EdgeFactor: 16}
	for _, ranks := range []int{1, 4} {
		long, short := memoryWith(64)(p, ranks, true), memoryWith(32)(p, ranks, true)
		if more := long.Engine - short.Engine; more != 4<<26/int64(ranks) || Memory(p, ranks, true) != long {
			t.Errorf("%d ranks: 64 bits take %d bytes more; usually %+v", ranks, more, Memory(p, ranks, true))
		}
	}
}

func TestValidationTakesMemory(t *testing.T) {
	p := kronecker.Params{Scale: 20, EdgeFactor: 16}
	with, without := Memory(p, 1, true), Memory(p, 1, false)
	if with.Judge == 0 || without.Judge != 0 || with.Engine != without.Engine {
		t.Errorf("%+v with validation, %+v without", with, without)
	}
}

// The largest official graphs on hosts with several cards.
func TestLargestScaleOfSeveralCards(t *testing.T) {
	for ranks, scale := range map[int]int{2: 29, 4: 30, 8: 31} {
		const h200 = 139 << 30
		if got := largestScale(ranks, h200); got != scale {
			t.Errorf("%d ranks with an H200 each: scale %d fits, want %d", ranks, got, scale)
		}
	}
}

// A rank holds its share and bounded buffers, however many ranks there are, but for bitmaps of all labels.
func TestMemoryOfManyRanks(t *testing.T) {
	few, more := kronecker.Params{Scale: 24, EdgeFactor: 16}, kronecker.Params{Scale: 28, EdgeFactor: 16}
	bitmaps := (searchBitmaps*2 + judgeBits) * (int64(more.Vertices()) - int64(few.Vertices())) / 8
	if got, want := Memory(more, 64, true).Total(), Memory(few, 4, true).Total()+bitmaps; got > want {
		t.Errorf("64 ranks take %d bytes each for 16 times the graph of 4 ranks, want %d at most", got, want)
	}
}
