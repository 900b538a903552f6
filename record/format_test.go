package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"g500/internal/trace"
)

// format1 is a run of both kernels as the first JSON format has it, on one of two GPUs, that was resumed.
const format1 = `{
  "format": 1, "status": "VALID", "scale": 5, "edgefactor": 8, "ranks": 1, "search_keys": 1,
  "graph_generation_seconds": 0.5, "construction_seconds": 2, "kernel": "both",
  "searches": [{"key": 0, "root": 17, "seconds": 0.5, "edges": 200, "edges_with_self_loops": 209,
    "reached_vertices": 21, "levels": 4, "validate_seconds": 0.25,
    "trace": [{"step": "top-down", "frontier": 1, "edges": 7, "bytes": 1048576, "seconds": 0.125},
      {"step": "bottom-up", "variant": "pull-residual"},
      {"step": "label order", "ranks": {"traffic": [{"form": "questions", "carrier": "host"}, {"form": "answers"}]}}]}],
  "power": {"refused": "too short", "meters": [{"source": "NVML", "doubt": 0.25}]},
  "sssp": {"prune": "hub", "construction_seconds": 3, "searches": [{"key": 0, "root": 17, "seconds": 1, "edges": 200,
    "edges_with_self_loops": 209, "reached_vertices": 21, "levels": 5, "validate_seconds": 0.25, "kernel": "sssp"}]},
  "resumed_searches": 1,
  "earlier_parts": [{"searches": 1,
     "construction_seconds": 2, "environment": {"engine": "hybrid", "device": "GPU 1, NVIDIA H100"}}],
  "config": {"graph": {"scale": 5, "edgefactor": 8, "seeds": [2, 18446744073709551615]},
    "search": {"kernel": "both", "engine": "hybrid", "prune": "hub", "sync": true},
    "machine": {"hosts": 2, "carrier": "mpi", "tuples": "host"},
    "policy": {"alpha": 30, "bitmap_hubs": 7, "hub_core": 8}},
  "environment": {"hosts": ["a"], "engine": "gpu", "machines": [{"hosts": ["a"]}],
    "device": "GPU 1, NVIDIA H200, 132 multiprocessors, compute ` +
	`capability 9.0, driver for CUDA 13.0; CUDA 13.0, kernels:sm_90/32cd6cda; staged in host memory to 3 of 3 other ` +
	`ranks; searches share memory of the host with 3 of them; no pre-launch: a debugger"},
  "statistics": {"teps": {"harmonic_mean": 400}}, "sssp_statistics": {"teps": {"harmonic_mean": 200}}
}`

func TestFormat1IsRead(t *testing.T) {
	run, err := Parse([]byte(format1))
	if err != nil || run.Contradiction != "" {
		t.Fatal(err, run)
	}
	config := DefaultConfig()
	config.Graph.Scale, config.Graph.EdgeFactor, config.Graph.Seeds = 5, 8, Seeds{2, 1<<64 - 1}
	config.Search.Kernel, config.Search.Prune, config.Search.ResultBits = Both, "hub", 32
	config.Search.Engine, config.Search.KernelTimes, config.Policy.Alpha = "cpu", true, 30
	config.Policy.HubVertices = 8
	config.Machine.EmulateNodes, config.Machine.GPUTransport, config.Machine.EdgeMemory = 2, "mpi", "host"
	search := Search{Root: 17, Seconds: 0.5, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 4,
		ValidateSeconds: 0.25, Trace: []Level{
			{Step: trace.TopDownStep, Frontier: 1, Edges: 7, Seconds: 0.125},
			{Step: trace.BottomUpStep, Variant: trace.PullRemainingVariant},
			{Step: trace.ResultOrderStep, Ranks: &RankCosts{Traffic: []Traffic{
				{Payload: trace.QueriesPayload, Transport: trace.NodeTransport}, {Payload: trace.RepliesPayload}}}}}}
	path := search
	path.Seconds, path.Levels, path.Trace = 1, 5, nil
	want := &Run{
		Status: Valid, Scale: 5, EdgeFactor: 8, Ranks: 1, ResultBits: 32, GenerationSeconds: 0.5, Resumed: 1,
		Kernels: []KernelRun{
			{Kernel: BFS, Keys: 1, ConstructionSeconds: 2, Searches: []Search{search},
				Power: &Power{Refused: "too short", Meters: []Meter{{Source: "NVML", RelativeError: 0.25}}}},
			{Kernel: SSSP, Keys: 1, Prune: "hub", ConstructionSeconds: 3, Searches: []Search{path}},
		},
		Parts: []Part{{Searches: 1, ConstructionSeconds: 2,
			Environment: Environment{Engine: "cpu", Device: &Device{Number: 1, Name: "NVIDIA H100"}}}},
		Config: &config,
		Environment: Environment{Nodes: []string{"a"}, Engine: "gpu", Machines: []Kind{{Nodes: []string{"a"}}},
			Device: &Device{
				Number: 1, Name: "NVIDIA H200", Processors: 132, Capability: "9.0", Driver: "CUDA 13.0",
				Built:       "CUDA 13.0, kernels:sm_90/32cd6cda",
				Transports:  "staged in host memory to 3 of 3 other ranks; searches share memory of the host with 3 of them",
				NoPrelaunch: "no pre-launch: a debugger",
			}},
	}
	if !reflect.DeepEqual(run, want) {
		t.Errorf("got\n%s\nwant\n%s", written(t, (*Run).WriteJSON, run), written(t, (*Run).WriteJSON, want))
	}
	if line := run.Environment.Device.String(); !strings.Contains(format1, line) {
		t.Errorf("the device is %q", line)
	}
}

// A file of format 1 is checked as the present format is, and may lack one of the kernels.
func TestFormat1IsChecked(t *testing.T) {
	for _, c := range []struct{ meaning, old, new, want string }{
		{"statistics of other searches", `{"harmonic_mean": 200}`, `{"harmonic_mean": 300}`, "kernels[1].statistics.teps"},
		{"another setting", `"search": {"kernel": "both"`, `"search": {"kernel": "bfs"`, "kernel bfs, and the run both"},
		{"searches of another kernel", `, "kernel": "sssp"}]`, `}]`, "search key 0 of shortest paths is of kernel bfs"},
		{"breadth-first searches of a run without", `"kernel": "both",`, `"kernel": "sssp",`, "searches of another one"},
		{"shortest paths of a run that has none", `"kernel": "both",`, "", "searches of another one"},
		{"no shortest paths", `"sssp": {`, `"dfs": {`, "no searches of kernel sssp"},
		{"an array of text", `"searches": [`, `"searches": ["a", `, "damaged"},
	} {
		text := strings.Replace(format1, c.old, c.new, 1)
		run, err := Parse([]byte(text))
		var said string
		if err != nil {
			said = err.Error()
		} else {
			said = run.Contradiction
		}
		if text == format1 || said == "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", c.meaning, said, c.want)
		}
	}
}

// A run of format 1 that was killed is resumed with the searches of its list.
func TestFormat1IsResumed(t *testing.T) {
	killed := `{"format": 1, "status": "INCOMPLETE", "reason": "the run did not reach its end",
  "scale": 5, "edgefactor": 8,
  "ranks": 1, "search_keys": 2, "result_bits": 64, "kernel": "both", "searches": null,
  "sssp": {"searches": null}, "environment": {"hosts": ["a"]},
  "config": {"graph": {"scale": 5, "edgefactor": 8}, "search": {"kernel": "both"}},
  "statistics": {"seconds": null}}`
	search := `"root": 17, "seconds": 1, "edges": 2, "edges_with_self_loops": 2, "reached_vertices": 3, "levels": 2}
`
	list := `{"key": 0, ` + search + `{"key": 1, ` + search + `{"kernel": "sssp", "key": 0, ` + search + `{"kernel": "ss`
	dir := t.TempDir()
	for name, text := range map[string]string{File: killed, SearchesFile: list} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run, err := ReadEarlier(dir)
	if err != nil {
		t.Fatal(err)
	}
	bfs, paths := run.Kernels[0], run.Kernels[1]
	if len(bfs.Searches) != 2 || len(paths.Searches) != 1 || paths.Keys != 2 {
		t.Errorf("%d and %d searches of %d", len(bfs.Searches), len(paths.Searches), paths.Keys)
	}
}
