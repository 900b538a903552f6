package report

import (
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/record"
)

// valid returns a valid run with one search per rate in GTEPS.
func valid(kind collect.Kind, scale, ranks int, program string, rates ...float64) *collect.Run {
	r := &record.Run{Status: record.Valid, Scale: scale, EdgeFactor: 16, Ranks: ranks, ResultBits: 64}
	r.Environment.Program, r.Environment.Started = record.NewProgram("g500 1.0", program), "2026-11-"+program+"T10:00:00Z"
	k := record.KernelRun{Kernel: kind.Kernel, Keys: len(rates), Prune: kind.Prune, ConstructionSeconds: 2}
	for key, rate := range rates {
		k.Searches = append(k.Searches, record.Search{
			Key: key, Edges: 1e9, EdgesWithLoops: 1e9, Seconds: 1 / rate, ValidateSeconds: 1})
	}
	r.Kernels = []record.KernelRun{k}
	kind.Factor = 16
	return &collect.Run{Run: r, KernelRun: k, Kind: kind, Folder: "runs/" + program}
}

func kindOf(machine string, kernel record.Kernel) collect.Kind {
	return collect.Kind{Machine: machine, Engine: "gpu", Kernel: kernel}
}

// A card says how many of a machine's cores a run used, unless it used all or computed on GPUs.
func TestCardsCountThreads(t *testing.T) {
	for want, c := range map[string]struct{ ranks, threads, cores int }{
		"scale 9, 2 of 32 threads":                        {1, 2, 32},
		"scale 9, 32 threads":                             {1, 32, 32},
		"scale 9, 4 threads":                              {1, 4, 2},
		"scale 9, 2 ranks of 1 thread, 2 of 32 in all":    {2, 1, 32},
		"scale 9, 2 ranks of 16 threads":                  {2, 16, 32},
		"scale 9, 8 threads":                              {1, 8, 0},
		"scale 9, 2 GPUs":                                 {2, 0, 32},
		"scale 9, 16 ranks of 4 threads, 64 of 96 in all": {16, 4, 96},
	} {
		kind := kindOf("m", record.BFS)
		kind.Threads = c.threads
		run := valid(kind, 9, c.ranks, "20", 1, 1)
		run.Environment.Cores = c.cores
		if c.cores == 96 { // of three nodes
			run.Environment.Cores, run.Environment.Nodes = 32, []string{"a", "a", "b", "c"}
		}
		points := collect.NewSet([]*collect.Run{run}).Points
		expect.Equal(t, sectionsOf(points, machinesOf(points))[0].Cards[0].Size, want, c)
	}
}

// A card has the best valid result by the rules of submissions: no 32-bit results, no pruning.
func TestCards(t *testing.T) {
	narrow := kindOf("fast", record.BFS)
	narrow.Bits = 32
	wide, paths := kindOf("fast", record.BFS), kindOf("fast", record.SSSP)
	pruned := paths
	pruned.Prune = "hub"
	slow := kindOf("slow", record.BFS)
	slow.Threads = 8
	runs := []*collect.Run{
		valid(wide, 20, 1, "20", 7, 7), valid(wide, 21, 2, "20", 8, 8), valid(narrow, 21, 2, "20", 9, 9),
		valid(paths, 20, 1, "20", 3, 3), valid(pruned, 20, 1, "20", 5, 5),
		valid(slow, 20, 2, "21", 1, 1), valid(slow, 20, 2, "21", 2, 2), valid(wide, 22, 4, "20", 100),
	}
	for _, run := range runs[5:7] {
		run.Environment.Cores = 32
	}
	runs[2].ResultBits, runs[7].Failure = 32, "killed"
	points := collect.NewSet(runs).Points
	sections := sectionsOf(points, machinesOf(points))
	if len(sections) != 2 || sections[0].Title != "Breadth-first search (BFS)" ||
		sections[1].Title != "Shortest paths (SSSP)" {
		t.Fatalf("%+v", sections)
	}
	for i, want := range []Card{
		{Machine: "fast", Rate: "8.00", Size: "scale 21, 2 GPUs", Spread: "n = 2 searches, ±0.0%",
			Date: "20 Nov 2026", Commit: "20", Folder: "runs/20"},
		{Machine: "slow", Colour: 1, Rate: "1.50", Size: "scale 20, 2 ranks of 8 threads, 16 of 32 in all",
			Spread: "2 runs, 1.00 to 2.00", Date: "21 Nov 2026", Commit: "21", Folder: "runs/21"},
		{Machine: "fast", Rate: "3.00", Size: "scale 20, 1 GPU", Spread: "n = 2 searches, ±0.0%",
			Pruned: "pruned by a hub: 5.00", Date: "20 Nov 2026", Commit: "20", Folder: "runs/20"},
	} {
		got := append(sections[0].Cards, sections[1].Cards...)[i]
		expect.Equal(t, got, want, "card", i)
	}
}
