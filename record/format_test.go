package record

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"g500/internal/trace"
)

// format1 is a run of both kernels as the first JSON format has it, on one of two GPUs, that was resumed. It lacks the
// settings that came later.
var format1 = statistics1(`{
  "format": 1, "status": "VALID", "scale": 5, "edgefactor": 8, "ranks": 1, "search_keys": 1,
  "graph_generation_seconds": 0.5, "construction_seconds": 2, "kernel": "both",
  "searches": [{"key": 0, "root": 17, "seconds": 0.5, "edges": 200, "edges_with_self_loops": 209,
    "reached_vertices": 21, "levels": 4, "validate_seconds": 0.25,
    "trace": [{"step": "top-down", "frontier": 1, "edges": 7, "bytes": 1048576, "seconds": 0.125},
      {"step": "bottom-up", "variant": "pull-residual", "frontier": 0, "edges": 0, "seconds": 0},
      {"step": "label order", "frontier": 0, "edges": 0, "seconds": 0,
        "ranks": {"computing_seconds": [1], "exchanging_seconds": [0], "waiting_seconds": [0],
          "traffic": [{"form": "questions", "carrier": "host", "sent_bytes": [8], "received_bytes": [0]},
            {"form": "answers", "carrier": "peer", "sent_bytes": [8], "received_bytes": [0]}]}}]}],
  "power": {"refused": "too short", "watts": 0, "joules_per_search": 0, "teps_per_watt": 0, "searches": 0,
    "seconds": 0, "period_seconds": 0, "meters": [{"rank": 0, "source": "NVML", "covers": "", "watts": 0,
      "seconds": 0, "reads": 0, "updates": 0, "doubt": 0.25}]},
  "sssp": {"prune": "hub", "construction_seconds": 3, "searches": [{"key": 0, "root": 17, "seconds": 1, "edges": 200,
    "edges_with_self_loops": 209, "reached_vertices": 21, "levels": 5, "validate_seconds": 0.25, "kernel": "sssp",
    "trace": [{"step": "pull", "frontier": 0, "edges": 0, "seconds": 1}]}],
    "power": {"refused": "too short", "watts": 0, "joules_per_search": 0, "teps_per_watt": 0, "searches": 0,
      "seconds": 0, "period_seconds": 0}},
  "resumed_searches": 1,
  "earlier_parts": [{"searches": 1, "construction_seconds": 2,
     "environment": {"engine": "hybrid", ENVIRONMENT,
       "device": "GPU 1, NVIDIA H100, 114 multiprocessors, compute capability 9.0, driver for 1; 2; 3"}}],
  "config": {"graph": {"scale": 5, "edgefactor": 8, "seeds": [2, 18446744073709551615], "format": "packed"},
    "search": {"kernel": "both", "engine": "gpu", "prune": "hub", "sync": true, "keys": 1, "validate": true,
      "trace": true, "power": true},
    "machine": {"hosts": 2, "carrier": "mpi", "tuples": "host", "transport": "auto", "ranks": 1, "threads": 0},
    "policy": {"alpha": 30, "bitmap_hubs": 7, "hub_core": 8}, "output": {"trees": false, "names": "official"}},
  "environment": {"engine": "gpu", "machines": [{"hosts": ["a"], "logical_cores": 2}], "mpi": "Open MPI",
    "device": "GPU 1, NVIDIA H200, 132 multiprocessors, compute ` +
	`capability 9.0, driver for CUDA 13.0; CUDA 13.0, kernels:sm_90/32cd6cda; staged in host memory to 3 of 3 other ` +
	`ranks; searches share memory of the host with 3 of them; no pre-launch: a debugger", ENVIRONMENT},
  "statistics": {"seconds": SUMMARY(0.5), "edges": SUMMARY(200), "teps": RATES(400), "validate_seconds": SUMMARY(0.25)},
  "sssp_statistics": {"seconds": SUMMARY(1), "edges": SUMMARY(200), "teps": RATES(200),
    "validate_seconds": SUMMARY(0.25)}
}`)

// statistics1 replaces the summaries of one value, and the environment, in a text.
func statistics1(text string) string {
	for short, long := range map[string]string{
		`SUMMARY\(([0-9.]+)\)`: `{"min": $1, "firstquartile": $1, "median": $1, "thirdquartile": $1, "max": $1, "mean": $1,
    "stddev": 0}`,
		`RATES\(([0-9.]+)\)`: `{"min": $1, "firstquartile": $1, "median": $1, "thirdquartile": $1, "max": $1,
    "harmonic_mean": $1, "harmonic_stddev": 0}`,
		`ENVIRONMENT`: `"program": "g500", "command": [], "started": "", "hosts": ["a"], "cpu": "abacus", "cores": 2,
      "threads": 2, "memory_bytes": 1, "system": "", "go": "", "transport": "loopback"`,
	} {
		text = regexp.MustCompile(short).ReplaceAllString(text, long)
	}
	return text
}

func TestFormat1IsRead(t *testing.T) {
	run, err := Parse([]byte(format1))
	if err != nil || run.Contradiction != "" {
		t.Fatal(err, run)
	}
	config := DefaultConfig()
	config.Graph.Scale, config.Graph.EdgeFactor, config.Graph.Seeds = 5, 8, Seeds{2, 1<<64 - 1}
	config.Search.Kernel, config.Search.Prune, config.Search.ResultBits, config.Search.Keys = Both, "hub", 32, 1
	config.Search.Engine, config.Search.KernelTimes, config.Policy.Alpha = "gpu", true, 30
	config.Search.Trace, config.Search.Power = true, true
	config.Policy.HubVertices = 8
	config.Machine.EmulateNodes, config.Machine.GPUTransport, config.Machine.EdgeMemory = 2, "mpi", "host"
	search := Search{Root: 17, Seconds: 0.5, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 4,
		ValidateSeconds: 0.25, Trace: []Level{
			{Step: trace.TopDownStep, Frontier: 1, Edges: 7, Seconds: 0.125},
			{Step: trace.BottomUpStep, Variant: trace.PullRemainingVariant},
			{Step: trace.ResultOrderStep, Ranks: &RankCosts{[]float64{1}, []float64{0}, []float64{0}, []Traffic{
				{trace.QueriesPayload, trace.NodeTransport, []int64{8}, []int64{0}},
				{trace.RepliesPayload, "peer", []int64{8}, []int64{0}}}}}}}
	path := search
	path.Seconds, path.Levels, path.Trace = 1, 5, []Level{{Step: "pull", Seconds: 1}}
	environment := Environment{Program: Program{Version: "g500"}, Command: []string{}, Nodes: []string{"a"},
		CPU: "abacus", Cores: 2,
		Threads: 2, MemoryB: 1, Transport: "loopback"}
	earlier := environment
	earlier.Engine, earlier.Device = "cpu", &Device{Number: 1, Name: "NVIDIA H100", Processors: 114,
		Capability: "9.0", Driver: "1", Built: "2", Transports: "3"}
	environment.Engine = "gpu"
	environment.Machines = []Kind{{Nodes: []string{"a"}, Machine: Machine{Threads: 2}}}
	environment.Device = &Device{
		Number: 1, Name: "NVIDIA H200", Processors: 132, Capability: "9.0", Driver: "CUDA 13.0",
		Built:       "CUDA 13.0, kernels:sm_90/32cd6cda",
		Transports:  "staged in host memory to 3 of 3 other ranks; searches share memory of the host with 3 of them",
		NoPrelaunch: "no pre-launch: a debugger",
	}
	want := &Run{
		Status: Valid, Scale: 5, EdgeFactor: 8, Ranks: 1, ResultBits: 32, GenerationSeconds: 0.5, Resumed: 1,
		Kernels: []KernelRun{
			{Kernel: BFS, Keys: 1, ConstructionSeconds: 2, Searches: []Search{search},
				Power: &Power{Refused: "too short", Meters: []Meter{{Source: "NVML", RelativeError: 0.25}}}},
			{Kernel: SSSP, Keys: 1, Prune: "hub", ConstructionSeconds: 3, Searches: []Search{path},
				Power: &Power{Refused: "too short"}},
		},
		Parts:  []Part{{Searches: 1, ConstructionSeconds: 2, Environment: earlier}},
		Config: &config, Environment: environment,
	}
	for i := range run.Kernels { // as NaN differs from itself
		if p := run.Kernels[i].Power; math.IsNaN(p.Watts) && math.IsNaN(p.JoulesPerSearch) && math.IsNaN(p.TEPSPerWatt) {
			p.Watts, p.JoulesPerSearch, p.TEPSPerWatt = 0, 0, 0
		}
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
		{"statistics of other searches", `"harmonic_mean": 200`, `"harmonic_mean": 300`, "kernels[1].statistics.teps"},
		{"another setting", `"search": {"kernel": "both"`, `"search": {"kernel": "sssp"`, "kernel sssp, and the run both"},
		{"an engine's old name", `"engine": "gpu", "prune"`, `"engine": "hybrid", "prune"`, "engine cpu, and the run gpu"},
		{"no status", `"status": "VALID", `, "", "run.json lacks status"},
		{"no validation", `"validate": true,`, "", "run.json lacks config.search.validate"},
		{"searches of another kernel", `, "kernel": "sssp",`, `,`, "search key 0 of shortest paths is of kernel bfs"},
		{"breadth-first searches of a run without", `"kernel": "both",`, `"kernel": "sssp",`, "searches of another one"},
		{"shortest paths of a run that has none", `"kernel": "both",`, "", "searches of another one"},
		{"no shortest paths", `"sssp": {`, `"dfs": {`, "no searches of kernel sssp"},
		{"an array of text", `"searches": [`, `"searches": ["a", `, "must be an object, not a text"},
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
	killed := statistics1(`{"format": 1, "status": "INCOMPLETE", "reason": "the run did not reach its end",
  "scale": 5, "edgefactor": 8, "graph_generation_seconds": 0, "resumed_searches": 0, "construction_seconds": 0,
  "ranks": 1, "search_keys": 2, "result_bits": 64, "kernel": "both", "searches": null,
  "sssp": {"searches": null, "construction_seconds": 0, "statistics": NONE},
  "environment": {"engine": "hybrid", ENVIRONMENT},
  "config": {"graph": {"scale": 5, "edgefactor": 8, "seeds": [2, 3], "format": "packed"},
    "search": {"kernel": "both", "engine": "auto", "keys": 2, "validate": true},
    "output": {"trees": false, "names": "spec"},
    "machine": {"transport": "auto", "ranks": 1, "threads": 0}},
  "statistics": NONE}`)
	killed = strings.ReplaceAll(killed, "NONE", `{"seconds": null, "edges": null, "teps": null, "validate_seconds": null}`)
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

// A policy of an earlier program gets the present keys: renamed ones keep their numbers, and those that it lacks have
// their defaults. Otherwise a policy must have all keys.
func TestPolicyOfAnEarlierProgram(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, sound())
	without := strings.Replace(whole, `"hub_vertices": 4000000,`, "", 1)
	earlier := strings.Replace(without, `"alpha":`, `"hub_core": 8, "bitmap_hubs": 7, "alpha":`, 1)
	for text, want := range map[string]string{without: "run.json lacks config.policy.hub_vertices", earlier: ""} {
		run, err := Parse([]byte(text))
		if err != nil || !strings.HasPrefix(run.Contradiction, want) || (want == "") != (run.Contradiction == "") {
			t.Errorf("error %v, %q, want %q", err, run.Contradiction, want)
		} else if want == "" && (run.Config.Policy.HubVertices != 8 || run.Config.Policy.Alpha != 24) {
			t.Errorf("%+v", run.Config.Policy)
		}
	}
}
