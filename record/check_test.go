package record

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sound is a run of both kernels on two ranks: three keys in one component, the fourth in a small one.
func sound() *Run {
	run := &Run{Kernel: Both, Scale: 17, EdgeFactor: 16, Ranks: 2, Keys: 4, ResultBits: 64,
		GenerationSeconds: 1, ConstructionSeconds: 2, RankGenerationSeconds: []float64{1, 0.5},
		Paths: &ShortestPaths{Prune: "hub", Keys: 4, ConstructionSeconds: 3},
		Config: map[string]any{
			"graph":   map[string]any{"scale": 17, "edgefactor": 16},
			"search":  map[string]any{"kernel": "both", "keys": 64, "validate": true, "result_bits": 64, "prune": "hub"},
			"machine": map[string]any{"ranks": 2, "threads": 3},
		},
		Environment: Environment{Hosts: []string{"a", "b"}, Transport: "loopback", Threads: 3}}
	for key := range 4 {
		s := Search{Key: key, Root: int64(10 + key), Seconds: 0.01, ValidateSeconds: 1,
			Edges: 2090000, EdgesWithLoops: 2096000, Reached: 90087, Levels: 7}
		if key == 3 {
			s.Edges, s.EdgesWithLoops, s.Reached, s.Levels = 2, 3, 3, 2
		}
		run.Searches = append(run.Searches, s)
		s.Kernel = SSSP
		run.Paths.Searches = append(run.Paths.Searches, s)
	}
	return run
}

func TestContradictionsAreFound(t *testing.T) {
	set := func(table, name string, value any) func(*Run) {
		return func(r *Run) { r.Config.(map[string]any)[table].(map[string]any)[name] = value }
	}
	for _, c := range []struct {
		meaning string
		change  func(r *Run)
		want    string // of the contradiction, "" for none
	}{
		{"a sound run", func(*Run) {}, ""},
		{"no configuration", func(r *Run) { r.Config = nil }, ""},
		{"a run that did not begin", func(r *Run) { *r = Run{Scale: 9, Ranks: 4, Keys: 64} },
			""},
		{"one search is done", func(r *Run) { r.Searches, r.Paths.Searches = r.Searches[:1], nil },
			""},
		{"a wrong result", func(r *Run) { r.Searches[1].Fault, r.Searches[1].Edges = "the tree has a cycle", 1 },
			""},
		{"rounds of keys", func(r *Run) { r.Keys = 128; set("search", "min_time", "90s")(r) },
			""},

		{"fewer edges than a tree has", func(r *Run) { r.Searches[1].Edges = 5 },
			"90086 edges at least, and counted 5"},
		{"fewer edges in one component", func(r *Run) { r.Searches[1].Edges-- },
			"must be in one component"},
		{"fewer self-loops in one component", func(r *Run) { r.Searches[2].EdgesWithLoops-- },
			"must be in one component"},
		{"fewer vertices in one component", func(r *Run) { r.Searches[2].Reached-- },
			"must be in one component"},
		{"counts by kernel", func(r *Run) { r.Paths.Searches[3].Edges = 3 },
			"have one root, and counted 2 and 3 edges"},
		{"more edges than tuples", func(r *Run) { r.Searches[2].EdgesWithLoops = 1 << 40 },
			"of 2097152 tuples"},
		{"more edges than with self-loops", func(r *Run) { r.Searches[2].Edges = 2096001 },
			"of 2097152 tuples"},
		{"too many vertices", func(r *Run) { r.Searches[2].Reached = 1 << 20 },
			"of 131072 vertices"},
		{"a root outside", func(r *Run) { r.Searches[2].Root = 1 << 20 }, "has root 1048576"},
		{"levels", func(r *Run) { r.Searches[3].Levels = 4 }, "4 levels of 3 vertices"},
		{"a rate of no machine", func(r *Run) { r.Searches[0].Seconds = 1e-12 },
			"no machine has 1e+15 TEPS"},
		{"counts without validation", func(r *Run) {
			r.Searches[0].ValidateSeconds = -1
			delete(r.Config.(map[string]any)["search"].(map[string]any), "validate")
		}, "was not validated, and has"},
		{"one search without validation", func(r *Run) { r.Searches[0].ValidateSeconds = -1 },
			"validation true, and search key 0"},

		{"another scale", set("graph", "scale", 18), "scale 18, and the run 17"},
		{"another edge factor", set("graph", "edgefactor", 8), "edge factor 8"},
		{"another graph", set("graph", "spec", "grid:9x9"), `the graph "grid:9x9"`},
		{"another kernel", set("search", "kernel", "bfs"), "kernel bfs"},
		{"other bits", set("search", "result_bits", 32), "32"},
		{"another pruning", set("search", "prune", "none"), "pruning none, and the searches hub"},
		{"more keys", set("search", "keys", 3), "search keys"},
		{"without validation", set("search", "validate", false), "validation false"},
		{"other ranks", set("machine", "ranks", 1), "ranks 1, and the run 2"},
		{"other threads", set("machine", "threads", 4), "threads for each rank 4"},

		{"no ranks", func(r *Run) { r.Ranks = 0; set("machine", "ranks", 0)(r) }, "0 ranks"},
		{"hosts", func(r *Run) { r.Environment.Hosts = []string{"a"} }, "the hosts of 1"},
		{"devices", func(r *Run) { r.Environment.RankDevices = []string{"a"} },
			"the devices of 1"},
		{"generation", func(r *Run) { r.RankGenerationSeconds = []float64{1} },
			"generation times of 1"},
		{"negative time", func(r *Run) { r.ConstructionSeconds = -1 }, "kernel 1"},

		{"resumed without searches", func(r *Run) { r.Resumed = 9 },
			"resumed after 9 searches, and has 8"},
		{"resumed elsewhere", func(r *Run) { r.Resumed, r.Parts = 3, []Part{{Searches: 2}} },
			"ended after 2"},
		{"parts that shrink", func(r *Run) { r.Parts = []Part{{Searches: 2}, {Searches: 1}} },
			"part 2 ended after 1"},

		{"shortest paths among others", func(r *Run) { r.Searches[1].Kernel = SSSP },
			"is of kernel sssp"},
		{"others among shortest paths", func(r *Run) { r.Paths.Searches[1].Kernel = "" },
			"is of kernel bfs"},
		{"no shortest paths", func(r *Run) { r.Paths = nil; delete(r.Config.(map[string]any), "search") },
			"its record has shortest paths: false"},
		{"breadth-first searches of none", func(r *Run) { r.Kernel = SSSP; set("search", "kernel", "sssp")(r) },
			"its kernel has no breadth-first searches"},
		{"roots by kernel", func(r *Run) { r.Paths.Searches[3].Root = 99 }, "has root 99"},
	} {
		run := sound()
		c.change(run)
		err := Check(run)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.meaning, err, c.want)
		}
		var text bytes.Buffer // and the same as read from a folder
		if err := run.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		read, err := Parse(text.Bytes())
		if err != nil || (read.Contradiction == "") != (c.want == "") {
			t.Errorf("%s, stored: %q, error %v", c.meaning, read.Contradiction, err)
		}
	}
}

// Figures that follow from the searches are derived again. A field that a record lacks contradicts nothing.
func TestDerivedFiguresAreChecked(t *testing.T) {
	var b bytes.Buffer
	if err := sound().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ meaning, field, line, want string }{
		{"nothing is changed", `"format": 1,`, `"format": 1,`, ""},
		{"no median", `"median": [^,]*,\n`, "", ""},
		{"a better rate", `"harmonic_mean": [^,]*,`, `"harmonic_mean": 9e14,`, "statistics.teps.harmonic_mean is 9e14"},
		{"another status", `"status": "VALID"`, `"status": "INVALID"`, `status is "INVALID", and by all else it is "VALID"`},
		{"a field that no run has", `"format": 1,`, `"format": 1, "rank": 1,`, "rank is 1"},
		{"a status of this package", `"status": "VALID"`, `"status": "INCONSISTENT"`, "INCONSISTENT"},
	} {
		text := regexp.MustCompile(c.field).ReplaceAll(b.Bytes(), []byte(c.line))
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, File), text, 0o600); err != nil {
			t.Fatal(err)
		}
		run, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && run.Contradiction != "" || !strings.Contains(run.Contradiction, c.want) {
			t.Errorf("%s: %q, want %q", c.meaning, run.Contradiction, c.want)
		}
		if wrong := c.want != ""; wrong && (run.Status != Inconsistent || run.Statistics().TEPS != nil ||
			!strings.HasPrefix(run.Verdict(), "INVALID: run.json contradicts itself: ")) {
			t.Errorf("%s: status %s, verdict %s", c.meaning, run.Status, run.Verdict())
		}
	}
}
