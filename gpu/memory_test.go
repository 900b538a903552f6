// SPDX-License-Identifier: Apache-2.0

package gpu

import (
	"math"
	"slices"
	"testing"

	"g500/bench"
	gpuvalidate "g500/gpu/validate"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/policy"
	"g500/settings"
	"g500/sssp"
)

const gib = 1 << 30

func official(scale int) kronecker.Params { return kronecker.Params{Scale: scale, EdgeFactor: 16} }

// The largest validated official graphs of GPUs with the memory that their drivers report: with the edge tuples in
// device memory, and in host memory.
func TestLargestScale(t *testing.T) {
	for _, c := range []struct {
		name         string
		ranks        int
		bytes, host  int64
		device, auto int
	}{
		{"H200", 1, 139 * gib, 130 * gib, 28, 30},
		{"H200 in a node of 64 GiB", 1, 139 * gib, 60 * gib, 28, 28},
		{"H100", 1, 78 * gib, 120 * gib, 27, 29},
		{"A100 of 40 GB", 1, 39 * gib, 120 * gib, 26, 28},
		{"V100 of 16 GB", 1, 15 * gib, 120 * gib, 25, 26},
		{"H200", 2, 139 * gib, 120 * gib, 29, 30},
		{"H200", 4, 139 * gib, 120 * gib, 30, 31},
		{"H200", 8, 139 * gib, 120 * gib, 31, 32},
		{"H200", 16, 139 * gib, 120 * gib, 32, 32},
		{"H200", 64, 139 * gib, 120 * gib, 34, 34},
		{"H200", 512, 139 * gib, 120 * gib, 37, 37},
		{"H200", 1024, 139 * gib, 120 * gib, 37, 38},
		{"H200", 8192, 139 * gib, 120 * gib, 40, 41},
	} {
		for memory, want := range map[string]int{"device": c.device, "host": c.auto, "auto": c.auto} {
			cfg := settings.Default()
			cfg.Machine.EdgeMemory = memory
			budgets := bench.Budgets{Backend: c.bytes, Host: c.host}
			got := bench.LargestScale(Planner(cfg, c.ranks <= 8), bench.WorkOf(cfg, c.ranks), budgets)
			if got != want && (memory != "host" || c.auto > c.device) {
				t.Errorf("%s, %d ranks, edge memory %s: scale %d fits, want %d", c.name, c.ranks, memory, got, want)
			}
		}
	}
}

// 64-bit results, the default, take 4 bytes per vertex more.
func TestResultBitsTakeMemory(t *testing.T) {
	for _, ranks := range []int{1, 4} {
		c := settings.Default().Search
		long := estimate(official(26), ranks, true, c, true)
		c.ResultBits = 32
		short := estimate(official(26), ranks, true, c, true)
		more := long[0].Engine - short[0].Engine
		if more != 4<<26/int64(ranks) || Memory(official(26), ranks, true)[0].Engine != long[0].Engine {
			t.Errorf("%d ranks: 64 bits take %d bytes more; the default is %+v", ranks, more, Memory(official(26), ranks, true))
		}
	}
}

// Peers with 64-bit labels have segments, and no ranks of ids unless their ids have 64 bits, too.
func TestMemoryOfPeersWith64BitLabels(t *testing.T) {
	for _, c := range []struct {
		scale, ranks int
		long, peers  bool
		parts        []string
	}{
		{26, 2, true, true, []string{"ranks of labels", "segments"}},
		{26, 2, true, false, []string{"ranks of labels", "ranks of ids"}},
		{26, 2, false, true, []string{"segments"}},
		{26, 1, true, true, []string{"segments"}},
		{33, 8, false, true, []string{"ranks of labels", "segments"}},
		{34, 16, false, true, []string{"ranks of labels", "ranks of ids"}},
	} {
		config := settings.SearchConfig{IDs64: c.long, ResultBits: 64}
		var parts []string
		for _, part := range estimate(official(c.scale), c.ranks, true, config, c.peers)[0].Parts {
			if slices.Contains([]string{"ranks of labels", "ranks of ids", "segments"}, part.Name) {
				parts = append(parts, part.Name)
			}
		}
		expect.Equal(t, parts, c.parts, "scale", c.scale, "on", c.ranks, "ranks, --ids64:", c.long, "peers:", c.peers)
	}
}

// Packed rows have wider gaps on ranks that are no power of two, and their headers with any edge factor.
func TestPackedBits(t *testing.T) {
	for _, c := range []struct {
		scale, ranks int
		factor       int64
		want         float64
	}{{22, 1, 16, 14.45}, {22, 4, 16, 14.45}, {22, 3, 16, 14.45 + math.Log2(4.0/3)}, {22, 5, 32, 13.45 + math.Log2(8.0/5)},
		{16, 1, 1 << 20, 5}} {
		p := official(c.scale)
		p.EdgeFactor = c.factor
		if got := packedBits(p, c.ranks, true); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("scale %d, %d ranks, edge factor %d: %v bits, want %v", c.scale, c.ranks, c.factor, got, c.want)
		}
	}
}

// A plan with packed rows is true to 2%: searches of one H200 at scale 30 and of one H100 at 29 had that many GiB in
// use, by nvidia-smi (commits 4ad4d4ac and aaa1b4af).
func TestMemoryOfPackedRows(t *testing.T) {
	for scale, used := range map[int]float64{30: 121.4, 29: 64.9} {
		cfg := settings.Default()
		cfg.Graph.Scale, cfg.Machine.GraphForm, cfg.Machine.EdgeMemory = scale, "packed", "host"
		plan := float64(Planner(cfg, true).Memory(bench.WorkOf(cfg, 1))[0].Total()) / gib
		if math.Abs(plan/used-1) > 0.02 {
			t.Errorf("scale %d: %.1f GiB by plan, %.1f in use", scale, plan, used)
		}
	}
}

// A graph that is not the official one takes 14 bytes per vertex more, 2 of them with 64-bit ids: all its vertices may
// be in lists of searches, as the emulator measures (cuda/emulator/search_checks.h).
func TestOtherGraphsTakeMemory(t *testing.T) {
	for _, ranks := range []int{1, 4} {
		cfg := settings.Default()
		cfg.Graph.Scale = 28
		usual := bench.WorkOf(cfg, ranks)
		cfg.Graph.Spec = "road:9x9"
		other := bench.WorkOf(cfg, ranks)
		planner := Planner(cfg, true)
		for i, plan := range planner.Memory(other) {
			more := plan.Total() - planner.Memory(usual)[i].Total()
			expect.Equal(t, more, 14<<28/int64(ranks), ranks, "ranks")
		}
	}
}

func TestValidationTakesMemory(t *testing.T) {
	with, without := Memory(official(20), 1, true), Memory(official(20), 1, false)
	for i := range with {
		if with[i].Validator == 0 || without[i].Validator != 0 || with[i].Engine != without[i].Engine {
			t.Errorf("%+v with validation, %+v without", with, without)
		}
	}
}

// Weights take 4 bytes per tuple, and 8 per tuple of a piece from host memory. The validator of several ranks stores
// all distances.
func TestWeightsTakeMemory(t *testing.T) {
	p := official(26)
	for _, ranks := range []int64{1, 4} {
		for i, plan := range Memory(p, int(ranks), true) {
			weighted, tuples := pathsMemory(plan, p, int(ranks), sssp.PruneNone, false), p.Edges()/ranks
			device, host, validator := 4*tuples, int64(0), int64(0)
			if i == 1 {
				device, host = 8*stagedTuples, 4*tuples
			}
			if ranks > 1 {
				validator = 4 * (int64(p.Vertices()) + 128*ranks)
			}
			got := [3]int64{weighted.Tuples - plan.Tuples, weighted.InHost - plan.InHost, weighted.Validator - plan.Validator}
			expect.Equal(t, got, [3]int64{device, host, validator}, ranks, "ranks, plan", i, "bytes more")
		}
		if plan := pathsMemory(Memory(p, int(ranks), false)[0], p, int(ranks), sssp.PruneNone, false); plan.Validator != 0 {
			t.Errorf("%d ranks, not validated: %d bytes for the validator", ranks, plan.Validator)
		}
	}
}

// On several ranks pruning and shortest paths between ranks that are no peers take memory, per id and per vertex.
func TestPathsOfSeveralRanksTakeMemory(t *testing.T) {
	p := official(26)
	for ranks, want := range map[int][2]int64{1: {}, 4: {5*2<<26 + 72<<24, 12*2<<26 + (4*32+8)<<24 + 8<<26 + 48<<20}} {
		plan := Memory(p, ranks, true)[0]
		far := pathsMemory(plan, p, ranks, sssp.PruneNone, false)
		pruning := pathsMemory(plan, p, ranks, sssp.PruneHub, false).Engine - far.Engine
		exchange := far.Engine - pathsMemory(plan, p, ranks, sssp.PruneNone, true).Engine
		expect.Equal(t, [2]int64{pruning, exchange}, want, ranks, "ranks", "bytes more")
	}
}

// The terms of a validated run with the edge tuples in host memory, in GiB per rank, for the largest graphs of an H200,
// an H100 of 80 GB and four H200s. All labels count as vertices, although about half of them are isolated. Kernel 1
// uses the remaining memory to sort rows, with 8 bytes per entry of a piece of rows and one pass over all tuples per
// piece.
func TestTermsOfTheLargestGraphs(t *testing.T) {
	for _, c := range []struct {
		scale, ranks      int
		capacity          float64
		cols              float64 // 4 B per directed edge, two per tuple
		tables            float64 // per label: offset of a row 8 B, label 4 B, local id 4 B
		search            float64 // per label: arrays 20 B, state and arrays by tile 23 B, result 8 B
		segments          float64 // 2^17 cuts of 4 B per segment; 2 B for each fourth directed edge
		bitmaps           float64 // several ranks: of all ids; gathered; buffers; known labels
		validator, staged float64
		host              float64 // 8 B per tuple
	}{
		{29, 1, 139, 64, 8, 25.5, (1056+10922)/2048.0 + 8, 0, 1.1875, 0.875, 64},
		{28, 1, 78, 32, 4, 12.75, (1056+5461)/2048.0 + 4, 0, 0.59375, 0.875, 32},
		{31, 4, 139, 64, 8, 25.5, (1056+10922)/2048.0 + 8, 1.75 + 1.125 + 2, 2 + 0.125 + 5.5, 0.875, 64},
	} {
		plan := Memory(official(c.scale), c.ranks, true)[1]
		const spare = 0.5
		for _, term := range []struct {
			name string
			got  int64
			want float64
		}{
			{"engine", plan.Engine, c.cols + c.tables + c.search + c.segments + c.bitmaps + spare},
			{"validator", plan.Validator, c.validator},
			{"staged tuples", plan.Tuples, c.staged},
			{"host memory", plan.InHost, c.host},
		} {
			expect.Equal(t, float64(term.got)/gib, term.want, "scale", c.scale, "on", c.ranks, "ranks", term.name, "GiB")
		}
		if total := float64(plan.Total()) / gib; total > c.capacity {
			t.Errorf("scale %d on %d ranks: %.1f GiB of %.1f", c.scale, c.ranks, total, c.capacity)
		}
	}
}

// A rank's memory is its share and bounded buffers, except bitmaps of all labels and known labels.
func TestMemoryOfManyRanks(t *testing.T) {
	few, more := official(24), official(28)
	window := int64(4*gpuvalidate.DeviceWindow + (gpuvalidate.WindowBits+3)*gpuvalidate.DeviceWindow/8)
	bits := searchBitmaps*2 + gatheredBits + 8*knownBytes + gpuvalidate.BitsPerLabel
	bitmaps := int64(bits) * (int64(more.Vertices()) - int64(few.Vertices())) / 8
	if got, want := Memory(more, 64, true)[0].Total(), Memory(few, 4, true)[0].Total()+bitmaps+window; got > want {
		t.Errorf("64 ranks take %d bytes each for 16 times the graph of 4 ranks, want at most %d", got, want)
	}
}

// The terms of a graph with 64-bit ids, in GiB per rank, for scale 34 on 128 GPUs with the edge tuples in device
// memory. An id takes 6 bytes, and a vertex 18 bytes more than with 32-bit ids. Three bitmaps of all ranks and one of
// the rank have its vertices that are no leaves, plus 5%, and space for a report.
func TestTermsOf64BitIDs(t *testing.T) {
	plans, part := Memory(official(34), 128, true), int64(1.05*official(34).NonLeaves()/128)+256+1024
	bitmaps := float64((3*128+1)*part/8) / gib
	const (
		cols, tables, search = 16 + 8, 2, 51.0 / 8
		ranks, spare         = 2.25, 0.5
		buffers, known       = 1.125, 2
		levels, own, window  = 12, 1.0 / 32, 2 + 6.0/16
	)
	engine, validator := float64(plans[0].Engine)/gib, float64(plans[0].Validator)/gib
	if want := cols + tables + search + ranks + spare + bitmaps + buffers + known; math.Abs(engine-want) > 1e-9 {
		t.Errorf("engine %.4f GiB, want %.4f", engine, want)
	}
	expect.Equal(t, validator, levels+own+window, "validator", "GiB")
	if len(plans) != 2 || plans[0].InHost != 0 || float64(plans[0].Tuples)/gib != 24 {
		t.Errorf("plans %+v: want one with 24 GiB of tuples in device memory", plans)
	}
	if host := plans[1]; float64(host.InHost)/gib != 24 || float64(host.Tuples)/gib != 0.75 {
		t.Errorf("%+v: want 24 GiB of tuples in host memory, in pieces of 2^25", host)
	}
}

// 2^28 labels per GPU fit into 140 GB, with the edge tuples in host memory, on any number of ranks.
func TestMemoryDoesNotGrowWithTheRanks(t *testing.T) {
	for _, c := range []struct {
		scale, ranks int
		planned      float64 // GB, rounded up
	}{{34, 64, 104}, {38, 1024, 105}, {41, 8192, 138}} {
		plan := Memory(official(c.scale), c.ranks, true)[1]
		if gb := float64(plan.Total()) / 1e9; gb > 140 || math.Ceil(gb) != c.planned || plan.InHost != 48*gib {
			t.Errorf("scale %d on %d ranks: %.1f GB on the device, want %g; and %d bytes of tuples", c.scale, c.ranks, gb,
				c.planned, plan.InHost)
		}
		messages := bench.Part{Name: "messages, known labels", Bytes: searchBuffers + knownBytes*policy.KnownLabels}
		if !slices.Contains(plan.Parts, messages) {
			t.Errorf("scale %d on %d ranks: the parts are %v, want %v", c.scale, c.ranks, plan.Parts, messages)
		}
	}
}

// Several ranks need 64-bit labels from scale 32 on, and 64-bit ids with them if they are no peers.
func TestGraphsWith64BitIDs(t *testing.T) {
	for _, c := range []struct {
		scale, ranks    int
		labels64, ids64 bool // on peers
	}{{31, 1, false, false}, {31, 4, false, false}, {31, 64, false, false}, {31, 1024, false, false}, {32, 4, true, false},
		{33, 8, true, false}, {34, 8, true, true}, {36, 512, true, true}} {
		for _, peers := range []bool{true, false} {
			got := idsOf(official(c.scale), c.ranks, false, peers)
			expect.Equal(t, [2]bool{got.labels64, got.ids64}, [2]bool{c.labels64, c.ids64 || c.labels64 && !peers},
				"scale", c.scale, "on", c.ranks, "ranks, peers:", peers)
		}
	}
	if maxScale(64) != 43 || maxScale(32) != 31 {
		t.Errorf("the largest scale is %d, and %d with 32-bit parents", maxScale(64), maxScale(32))
	}
}

// Searches of directed graphs take 8 bytes more per vertex, and shortest paths 8 more; per id if some are no peers.
func TestDirectedGraphsTakeMemory(t *testing.T) {
	const vertices = 1 << 26
	for _, c := range []struct {
		ranks           int
		paths, together bool
		want            int64
	}{
		{1, false, true, 8 * vertices}, {1, true, true, 16 * vertices}, {4, false, true, 2 * vertices},
		{4, true, true, 4 * vertices}, {4, true, false, 2*vertices + 16*vertices},
	} {
		plan := Memory(official(26), c.ranks, true)[0]
		got := DirectedMemory(plan, official(26), c.ranks, c.paths, c.together)
		expect.Equal(t, got.Engine-plan.Engine, c.want, c, "bytes more")
	}
}
