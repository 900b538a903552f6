package collect

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/record"
	"g500/settings"
)

// stored writes a run of both kernels. Its shortest paths take four times as long as BFS.
func stored(t *testing.T, dir, name, prune string, done int) {
	t.Helper()
	config := settings.Default()
	config.Graph.Scale, config.Search.Kernel, config.Search.Keys = 10, record.Both, 2
	if prune != "" {
		config.Search.Prune = prune
	}
	run := record.Run{Scale: 10, EdgeFactor: 16, Ranks: 1, ResultBits: 64, Config: &config,
		Environment: record.Environment{Engine: "cpu", CPU: "cpu", Nodes: []string{"h"}, Threads: 1, Transport: "loopback",
			Program: record.Program{Version: "p"}},
		Kernels: []record.KernelRun{
			{Kernel: record.BFS, Keys: 2, ConstructionSeconds: 1},
			{Kernel: record.SSSP, Keys: 2, Prune: prune, ConstructionSeconds: 5},
		}}
	for key := range 2 {
		s := record.Search{Key: key, Root: int64(key), Seconds: 0.5, Edges: 100, EdgesWithLoops: 100, Reached: 3, Levels: 2,
			ValidateSeconds: 1}
		bfs, paths := &run.Kernels[0], &run.Kernels[1]
		bfs.Searches = append(bfs.Searches, s)
		s.Seconds = 2
		if key < done {
			paths.Searches = append(paths.Searches, s)
		}
	}
	expect.Write(t, filepath.Join(dir, name, record.File), expect.Written(t, run.WriteJSON))
}

// Machines with the same processor and other numbers of cores are different, unless the ranks compute on GPUs. A graph
// that its file makes directed is named so.
func TestKinds(t *testing.T) {
	run := &record.Run{EdgeFactor: 16, Environment: record.Environment{Engine: "cpu", CPU: "Xeon", Cores: 32, Threads: 2},
		Graph: &record.Graph{Spec: "file:a.mtx,symmetric=auto", Directed: true}}
	of := func() string { return kindOf(run, record.KernelRun{Kernel: record.BFS}).String() }
	large := of()
	run.Environment.Cores, run.Graph.Directed = 1, false
	small := of()
	run.Environment.Device = &record.Device{Name: "GPU"}
	for got, want := range map[string]string{large: "Xeon (32 cores), cpu, 2 threads per rank, directed",
		small: "Xeon (1 core), cpu, 2 threads per rank", of(): "GPU, cpu"} {
		expect.Equal(t, got, want)
	}
}

// Searches of different kernels or pruning are in different points.
func TestKernelsAreApart(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "a", "", 2)
	stored(t, dir, "b", "hub", 2)
	set := expect.Value(Read(dir))(t)
	if all, valid := set.Count(); all != 2 || valid != 2 || len(set.Runs) != 4 || set.OutsideScaling() != nil {
		t.Errorf("%d runs, %d valid, %d of a kernel, outside: %v", all, valid, len(set.Runs), set.OutsideScaling())
	}
	rates := map[string]float64{}
	for _, p := range set.Points {
		rates[p.Kind.KernelName()] = p.TEPS.Median
		if n := len(p.Runs); (p.Kind.Kernel == record.BFS) != (n == 2) || n > 2 {
			t.Errorf("%v has %d runs", p.Kind, n)
		}
	}
	want := map[string]float64{"": 200, "SSSP": 50, "SSSP pruned by a hub": 50}
	for kernel, teps := range want {
		if rates[kernel] != teps || len(rates) != len(want) {
			t.Errorf("rates %v, want %v", rates, want)
		}
	}
	if table := set.SummaryTable().Text(); !strings.Contains(table, "cpu, cpu, SSSP pruned by a hub") ||
		!strings.Contains(table, "5.00 s") {
		t.Errorf("the summary does not distinguish the kernels:\n%s", table)
	}
}

// A run that was cut off in its second kernel counts for neither kernel.
func TestRunWithoutItsSecondKernel(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "a", "", 1)
	set := expect.Value(Read(dir))(t)
	all, valid := set.Count()
	if faults, any := set.FaultTable(); all != 1 || valid != 0 || len(set.Points) != 0 || !any || len(faults.Rows) != 1 {
		t.Errorf("%d runs, %d valid, %d points, faults %v", all, valid, len(set.Points), faults.Rows)
	}
}
