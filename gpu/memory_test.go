package gpu

import (
	"slices"
	"testing"

	"g500/bench"
	gpuvalidate "g500/gpu/validate"
	"g500/kronecker"
	"g500/sssp"
)

const gib = 1 << 30

// largestScale is that of a validated official run on so many ranks, each with so much memory in its place of tuples.
func largestScale(ranks int, tuples string, rooms bench.Budgets) int {
	p := kronecker.Params{EdgeFactor: 16, Seed1: 2, Seed2: 3}
	backend := bench.Backend{MaxScale: MaxScale, Memory: func(p kronecker.Params, ranks int, validated bool) []bench.Plan {
		return plansFor(tuples, Memory(p, ranks, validated))
	}}
	return bench.LargestScale(backend, p, ranks, true, rooms)
}

// The cards for which the engine is made, with the memory that their drivers report, and the largest official graph
// that has to fit when validated: with the tuples in device memory, and in host memory.
func TestLargestScaleOfACard(t *testing.T) {
	for _, card := range []struct {
		name         string
		bytes, host  int64
		device, auto int
	}{
		{"H200", 139 * gib, 120 * gib, 28, 29},
		{"H200 in a host of 64 GiB", 139 * gib, 60 * gib, 28, 28},
		{"H100", 78 * gib, 120 * gib, 27, 28},
		{"A100 of 40 GB", 39 * gib, 120 * gib, 26, 27},
		{"V100 of 16 GB", 15 * gib, 120 * gib, 25, 26},
	} {
		rooms := bench.Budgets{Backend: card.bytes, Host: card.host}
		for tuples, want := range map[string]int{"device": card.device, "host": card.auto, "auto": card.auto} {
			if got := largestScale(1, tuples, rooms); got != want && (tuples != "host" || card.auto > card.device) {
				t.Errorf("%s, tuples %s: scale %d fits, want %d", card.name, tuples, got, want)
			}
		}
	}
}

// A result of 64 bits a parent takes 4 bytes a vertex more, and is the usual one.
func TestResultBitsTakeMemory(t *testing.T) {
	p := kronecker.Params{Scale: 26, EdgeFactor: 16}
	for _, ranks := range []int{1, 4} {
		long, short := estimate(p, ranks, true, 64), estimate(p, ranks, true, 32)
		more := long[0].Engine - short[0].Engine
		if more != 4<<26/int64(ranks) || !slices.Equal(Memory(p, ranks, true), long) {
			t.Errorf("%d ranks: 64 bits take %d bytes more; usually %+v", ranks, more, Memory(p, ranks, true))
		}
	}
}

// Without validation no judge is planned for, whatever else is.
func TestValidationTakesMemory(t *testing.T) {
	p := kronecker.Params{Scale: 20, EdgeFactor: 16}
	with, without := Memory(p, 1, true), Memory(p, 1, false)
	for i := range with {
		if with[i].Validator == 0 || without[i].Validator != 0 || with[i].Engine != without[i].Engine {
			t.Errorf("%+v with validation, %+v without", with, without)
		}
	}
}

// Weights take 4 bytes a tuple where the tuples lie, and 8 a tuple of a piece that comes from host memory. The judge of
// several ranks brings all distances to each.
func TestWeightsTakeMemory(t *testing.T) {
	p := kronecker.Params{Scale: 26, EdgeFactor: 16}
	for _, ranks := range []int64{1, 4} {
		for i, plan := range Memory(p, int(ranks), true) {
			weighted, tuples := pathsMemory(plan, p, int(ranks), sssp.PruneNone, false), p.Edges()/ranks
			device, host, judge := 4*tuples, int64(0), int64(0)
			if i == 1 {
				device, host = 8*stagedTuples, 4*tuples
			}
			if ranks > 1 {
				judge = 4 * (int64(p.Vertices()) + 128*ranks)
			}
			got := [3]int64{weighted.Tuples - plan.Tuples, weighted.InHost - plan.InHost, weighted.Validator - plan.Validator}
			if want := [3]int64{device, host, judge}; got != want {
				t.Errorf("%d ranks, plan %d: %d bytes more, want %d", ranks, i, got, want)
			}
		}
		if plan := pathsMemory(Memory(p, int(ranks), false)[0], p, int(ranks), sssp.PruneNone, false); plan.Validator != 0 {
			t.Errorf("%d ranks, not validated: %d bytes for the validator", ranks, plan.Validator)
		}
	}
}

// On several ranks pruning takes memory: all ranks' positions, and what it knows of each vertex.
func TestPruningOnSeveralRanksTakesMemory(t *testing.T) {
	p := kronecker.Params{Scale: 26, EdgeFactor: 16}
	for ranks, want := range map[int]int64{1: 0, 4: 5*2<<26 + 72<<24} {
		plan := Memory(p, ranks, true)[0]
		without, with := pathsMemory(plan, p, ranks, sssp.PruneNone, false), pathsMemory(plan, p, ranks, sssp.PruneHub, false)
		if got := with.Engine - without.Engine; got != want {
			t.Errorf("%d ranks: %d bytes more, want %d", ranks, got, want)
		}
	}
}

// Where hosts exchange, shortest paths need messages, and marks of all ranks' vertices.
func TestHostsThatExchangePathsTakeMemory(t *testing.T) {
	p := kronecker.Params{Scale: 26, EdgeFactor: 16}
	for ranks, want := range map[int]int64{1: 0, 4: 8*2<<26 + 3*32<<24} {
		plan := Memory(p, ranks, true)[0]
		hosts, peers := pathsMemory(plan, p, ranks, sssp.PruneNone, false), pathsMemory(plan, p, ranks, sssp.PruneNone, true)
		if got := hosts.Engine - peers.Engine; got != want {
			t.Errorf("%d ranks: %d bytes more, want %d", ranks, got, want)
		}
	}
}

// The largest official graphs on hosts with several cards.
func TestLargestScaleOfSeveralCards(t *testing.T) {
	rooms := bench.Budgets{Backend: 139 * gib, Host: 120 * gib}
	for ranks, want := range map[int][2]int{2: {29, 30}, 4: {30, 31}, 8: {31, 31}} {
		if device, auto := largestScale(ranks, "device", rooms), largestScale(ranks, "auto", rooms); device != want[0] ||
			auto != want[1] {
			t.Errorf("%d ranks with an H200 each: scale %d fits, %d with tuples in host memory, want %v",
				ranks, device, auto, want)
		}
	}
}

// The terms of a validated run with the edge tuples in host memory, in GiB a rank, for the largest graphs of an H200,
// an H100 of 80 GB and four H200s. Vertices without an edge count as if they had one: about half of each term by
// vertices is not used. What columns and tables leave is kernel 1's, to sort rows in: 16 bytes an entry of a piece of
// rows, and there is a pass over all tuples for each piece.
func TestTermsOfTheLargestGraphs(t *testing.T) {
	for _, c := range []struct {
		scale, ranks      int
		room              float64
		cols              float64 // 4 B a directed edge, two a tuple
		tables            float64 // rows 8 B, labels 4 B, hub ids 4 B a label
		search            float64 // columns 20 B, state and columns by tile 23 B, result 8 B a label
		push              float64 // one rank: 2^17 cuts of 4 B at each segment's bound; several: a bit a directed edge
		bitmaps           float64 // several ranks: of all positions; open edges 8 B a vertex, questions; buffers
		validator, staged float64
		host              float64 // 8 B a tuple
	}{
		{29, 1, 139, 64, 8, 25.5, (1056 + 10922) / 2048.0, 0, 0.5, 0.875, 64},
		{28, 1, 78, 32, 4, 12.75, (1056 + 5461) / 2048.0, 0, 0.25, 0.875, 32},
		{31, 4, 139, 64, 8, 25.5, 2, 1 + 4 + 0.0625 + 1.625, 1.5 + 0.0625 + 4.25, 0.875, 64},
	} {
		plan := Memory(kronecker.Params{Scale: c.scale, EdgeFactor: 16}, c.ranks, true)[1]
		const other = 0.5 // spare
		for _, term := range []struct {
			name string
			got  int64
			want float64
		}{
			{"engine", plan.Engine, c.cols + c.tables + c.search + c.push + c.bitmaps + other},
			{"validator", plan.Validator, c.validator},
			{"staged tuples", plan.Tuples, c.staged},
			{"host memory", plan.InHost, c.host},
		} {
			if got := float64(term.got) / gib; got != term.want {
				t.Errorf("scale %d on %d ranks: %s %.4f GiB, want %.4f", c.scale, c.ranks, term.name, got, term.want)
			}
		}
		if total := float64(plan.Total()) / gib; total > c.room {
			t.Errorf("scale %d on %d ranks: %.1f GiB, and there are %.1f", c.scale, c.ranks, total, c.room)
		}
	}
}

// A rank holds its share and bounded buffers, however many ranks there are, but for bitmaps of all labels.
func TestMemoryOfManyRanks(t *testing.T) {
	few, more := kronecker.Params{Scale: 24, EdgeFactor: 16}, kronecker.Params{Scale: 28, EdgeFactor: 16}
	window := int64(4*gpuvalidate.DeviceWindow + 2*gpuvalidate.DeviceWindow/8)
	bitmaps := (searchBitmaps*2 + gpuvalidate.BitsPerLabel) * (int64(more.Vertices()) - int64(few.Vertices())) / 8
	if got, want := Memory(more, 64, true)[0].Total(), Memory(few, 4, true)[0].Total()+bitmaps+window; got > want {
		t.Errorf("64 ranks take %d bytes each for 16 times the graph of 4 ranks, want %d at most", got, want)
	}
}

// The terms of a wide graph, with its edge tuples in device memory: in host memory they have labels of 32 bits. In GiB
// a rank, of scale 34 on 128 GPUs. A neighbour takes 6 bytes, a vertex 16 more than in a narrow graph; bitmaps are of
// 2^26 positions a rank, in which by expectation 48 million vertices with an edge lie.
func TestTermsOfAWideGraph(t *testing.T) {
	plans := Memory(kronecker.Params{Scale: 34, EdgeFactor: 16}, 128, true)
	const (
		cols, tables, search = 16 + 8, 2, 51.0 / 8
		ranks, push, spare   = 2, 0.5, 0.5
		bitmaps, buffers     = 4, 1.625
		levels, own, window  = 12, 1.0 / 64, 2 + 1.0/16
	)
	engine, judge := float64(plans[0].Engine)/gib, float64(plans[0].Validator)/gib
	if want := cols + tables + search + ranks + push + spare + bitmaps + buffers; engine != want {
		t.Errorf("engine %.4f GiB, want %.4f", engine, want)
	}
	if want := levels + own + window; judge != want {
		t.Errorf("judge %.4f GiB, want %.4f", judge, want)
	}
	if len(plans) != 1 || plans[0].InHost != 0 || float64(plans[0].Tuples)/gib != 24 {
		t.Errorf("plans %+v: want one with 24 GiB of tuples in device memory", plans)
	}
}

// Labels of scale 32 need the wide form; those of scale 31 do not. One rank has no need of it.
func TestGraphsThatAreWide(t *testing.T) {
	for _, c := range []struct {
		scale, ranks int
		wide         bool
	}{{31, 1, false}, {31, 4, false}, {31, 64, false}, {31, 1024, false}, {32, 4, true}, {36, 512, true}} {
		if _, got := idsOf(kronecker.Params{Scale: c.scale, EdgeFactor: 16}, c.ranks); got != c.wide {
			t.Errorf("scale %d on %d ranks: wide is %v", c.scale, c.ranks, got)
		}
	}
	if maxScale(64) != 40 || maxScale(32) != 31 {
		t.Errorf("scales end at %d, and at %d with parents of 32 bits", maxScale(64), maxScale(32))
	}
}

// The largest official graphs of clusters, validated, with an H200 a rank: the judge's levels end it.
func TestLargestScaleOfClusters(t *testing.T) {
	rooms := bench.Budgets{Backend: 139 * gib, Host: 120 * gib}
	for ranks, want := range map[int]int{16: 32, 64: 34, 512: 36, 1024: 36} {
		if got := largestScale(ranks, "auto", rooms); got != want {
			t.Errorf("%d ranks: scale %d fits, want %d", ranks, got, want)
		}
	}
}
