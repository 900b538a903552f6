// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"g500/internal/expect"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
	"g500/settings/settingstest"
)

// kept is a valid run, with which other runs begin.
const kept = "testdata/kept"

// stored writes a changed copy of the kept run as g500 run would have, and opens it.
func stored(t *testing.T, change func(r *record.Run, c *record.Config)) Run {
	t.Helper()
	run := expect.Value(record.Read(kept))(t)
	change(run, run.Config)
	run.Settle()
	dir := t.TempDir()
	expect.Write(t, filepath.Join(dir, record.File), expect.Written(t, run.WriteJSON))
	for _, file := range run.DerivedFiles() {
		expect.Write(t, filepath.Join(dir, file.Name), expect.Written(t, file.Write))
	}
	return opened(t, dir)
}

func opened(t *testing.T, dir string) Run {
	t.Helper()
	return expect.Value(Open(dir))(t)
}

// broken returns the names of the rules that a run does not meet.
func broken(rules []Rule) (names []string) {
	for _, r := range Broken(rules) {
		names = append(names, r.Name)
	}
	return names
}

// Names of rules that several cases break.
const (
	allDone   = "every search done"
	validated = "every result validated and right"
	verdict   = "the verdict is VALID"
	timed     = "generation and construction timed"
	drawn     = "search keys in the order in which the generator draws them"
	chosen    = "search keys drawn by the generator, each searched once"
	key64     = "64 search keys, all different"
	oneBuild  = "all searches on one construction"
	bits48    = "48-bit parents at least"
	itself    = "run.json is consistent"
	others    = "the other files agree with run.json"
	pruned    = "results on a pruned structure together with results on an unpruned one"
	asTheyAre = "searches timed as they are, without --kernel-times"
)

// Each rule is broken by a fault, and no rule is missing here.
func TestEachRuleIsBrokenByItsFault(t *testing.T) {
	missing := map[string]bool{}
	for _, c := range checks() {
		missing[c.name] = true
	}
	delete(missing, others) // TestFilesThatDisagree breaks it
	searches := func(change func(s []record.Search)) func(*record.Run, *record.Config) {
		return func(r *record.Run, _ *record.Config) { change(r.Kernels[0].Searches) }
	}
	for _, c := range []struct {
		meaning string
		change  func(r *record.Run, c *record.Config)
		want    []string
	}{
		{"a valid run", nothing, nil},
		{"another edge factor", func(r *record.Run, c *record.Config) { r.EdgeFactor, c.Graph.EdgeFactor = 32, 32 },
			[]string{"edge factor 16"}},
		{"other seeds", func(_ *record.Run, c *record.Config) { c.Graph.Seeds[1] = 4 }, []string{"seeds 2 and 3", drawn}},
		{"unknown seeds", func(_ *record.Run, c *record.Config) { c.Graph.Seeds = [2]uint64{} },
			[]string{"seeds 2 and 3", drawn}},
		{"edges from a file", func(r *record.Run, c *record.Config) {
			c.Graph.Edges, r.Inputs = "edges.bin", []record.Input{{Use: record.EdgesUse, Path: "edges.bin"}}
		},
			[]string{"edge tuples from the official generator, not from a file"}},
		{"eight keys", func(r *record.Run, c *record.Config) {
			k := &r.Kernels[0]
			k.Keys, c.Search.Keys, k.Searches = 8, 8, k.Searches[:8]
		}, []string{key64}},
		{"one root twice", searches(func(s []record.Search) { s[5].Root = s[4].Root }), []string{key64, drawn}},
		{"a root that the user chose", searches(func(s []record.Search) { s[9].Root = 1 }), []string{drawn}},
		{"roots in another order", func(r *record.Run, _ *record.Config) {
			a, b := &r.Kernels[0].Searches[3], &r.Kernels[0].Searches[50]
			a.Root, b.Root = b.Root, a.Root
		}, []string{drawn}},
		{"roots from a file", func(r *record.Run, c *record.Config) {
			c.Search.Roots, r.Inputs = "roots.txt", []record.Input{{Use: record.RootsUse, Path: "roots.txt"}}
		}, []string{chosen}},
		{"one round of keys, for some time", func(_ *record.Run, c *record.Config) {
			c.Search.MinTime = settings.Duration(time.Second)
		}, []string{chosen}},
		{"cut off", func(r *record.Run, _ *record.Config) { r.Kernels[0].Searches = r.Kernels[0].Searches[:63] },
			[]string{allDone, verdict}},
		{"without validation", func(r *record.Run, c *record.Config) {
			c.Search.Validate = false
			list := r.Kernels[0].Searches
			for i, s := range list {
				list[i] = record.Search{Key: s.Key, Root: s.Root, Seconds: s.Seconds, ValidateSeconds: record.NotValidated}
			}
		}, []string{validated, verdict}},
		{"one tree without validation",
			searches(func(s []record.Search) { s[63].ValidateSeconds = record.NotValidated }),
			[]string{validated, verdict, itself}},
		{"a wrong tree", searches(func(s []record.Search) { s[7].Fault = "the tree has a cycle" }),
			[]string{validated, verdict}},
		{"a search in no time", searches(func(s []record.Search) { s[7].Seconds = 0 }), []string{verdict}},
		{"more edges than tuples", searches(func(s []record.Search) { s[2].EdgesWithLoops = 16<<20 + 1 }), []string{itself}},
		{"fewer edges in the same component", searches(func(s []record.Search) { s[2].Edges-- }), []string{itself}},
		{"more vertices than there are", searches(func(s []record.Search) { s[2].Reached = 1<<20 + 1 }), []string{itself}},
		{"no generation time", func(r *record.Run, _ *record.Config) { r.GenerationSeconds = 0 }, []string{timed}},
		{"no construction time", func(r *record.Run, _ *record.Config) { r.Kernels[0].ConstructionSeconds = 0 },
			[]string{timed}},
		{"kernels timed one by one", func(r *record.Run, c *record.Config) {
			c.Search.KernelTimes = true
			onGPU(r, c)
		}, []string{asTheyAre}},
		{"kernels of a CPU timed one by one", func(_ *record.Run, c *record.Config) { c.Search.KernelTimes = true },
			[]string{asTheyAre, itself}},
		{"shortest paths on a pruned structure", func(r *record.Run, c *record.Config) {
			c.Search.Kernel, c.Search.Prune = string(record.SSSP), "hub"
			r.Kernels[0].Kernel, r.Kernels[0].Prune = record.SSSP, "hub"
		}, []string{pruned}},
		{"resumed", func(r *record.Run, _ *record.Config) { resumed(r, 12) }, []string{oneBuild}},
		{"resumed, by its parts only", func(r *record.Run, _ *record.Config) { resumed(r, 12); r.Resumed = 0 },
			[]string{oneBuild, itself}},
		{"resumed, by its number only", func(r *record.Run, _ *record.Config) { r.Resumed = 12 },
			[]string{oneBuild, itself}},
		{"cut off before its first search", func(r *record.Run, _ *record.Config) { resumed(r, 0) }, nil},
		{"a configuration of another graph", func(_ *record.Run, c *record.Config) { c.Graph.Scale = 21 },
			[]string{drawn, itself}},
		{"parents of 32 bits", func(r *record.Run, c *record.Config) {
			r.ResultBits, c.Search.ResultBits = 32, 32
			onGPU(r, c)
		}, []string{bits48}},
		{"parents of 64 bits", func(r *record.Run, c *record.Config) { r.ResultBits, c.Search.ResultBits = 64, 64 }, nil},
		{"parents of other bits than configured", func(r *record.Run, c *record.Config) {
			r.ResultBits, c.Search.ResultBits = 64, 32
		}, []string{itself}},
		{"a rank without a node", func(r *record.Run, _ *record.Config) { r.Ranks = 2 }, []string{itself}},
	} {
		expect.Equal(t, broken(stored(t, c.change).Check()), c.want, c.meaning, "breaks")
		for _, name := range c.want {
			delete(missing, name)
		}
	}
	for name := range missing {
		t.Errorf("no fault breaks the rule %q", name)
	}
}

// A run with another value of an official setting breaks a rule, also without its folder, as a page of results has it.
// The rules on keys and bits read the run's figures.
func TestOfficialSettings(t *testing.T) {
	expect.Equal(t, broken(Of(*expect.Value(record.Read(kept))(t), "").Check()), nil, "broken by an official run")
	for _, s := range settings.Table {
		if !s.Official || s.Key == "search.keys" || s.Key == "search.result_bits" {
			continue
		}
		run := expect.Value(record.Read(kept))(t)
		config := settingstest.Changed(t, s, *run.Config)
		run.Config = &config
		expect.That(t, broken(Of(*run, "").Check()) != nil, "no rule is on %s", s.Key)
	}
}

// onGPU makes the run one on a GPU.
func onGPU(r *record.Run, c *record.Config) {
	r.Environment.Engine, r.Environment.Device, c.Search.Engine = "gpu", &record.Device{Name: "H200"}, "gpu"
}

// resumed makes the run a resumed one, with an earlier part of that many searches.
func resumed(r *record.Run, searches int) {
	part := record.Part{Searches: searches, ConstructionSeconds: 0.25, Environment: r.Environment}
	r.Resumed, r.Parts = searches, []record.Part{part}
}

// A file that was edited, that belongs to another run, or that is missing breaks a rule.
func TestFilesThatDisagree(t *testing.T) {
	for name, text := range map[string]string{
		"official.txt": "SCALE: 21\n", "searches.csv": "key,root\n", "searches.jsonl": "{\"key\": 0}\n", "missing": "",
	} {
		r := stored(t, nothing)
		if text == "" {
			expect.NoError(t, os.Remove(filepath.Join(r.Dir, "official.txt")))
		} else {
			expect.Write(t, filepath.Join(r.Dir, name), text)
		}
		expect.Equal(t, broken(r.Check()), []string{others}, name)
	}
}

// ADR 19: a pruned run is submitted with the same run on an unpruned structure, of the same program on as many ranks.
func TestUnprunedRunIsTheSameRun(t *testing.T) {
	paths := func(prune string, change func(*record.Run, *record.Config)) Run {
		return made(t, "cpu", "sssp", func(r *record.Run, c *record.Config) {
			r.Kernels[0].Prune = prune
			if prune != "" {
				c.Search.Prune = prune
			}
			change(r, c)
		})
	}
	pruned := paths("hub", nothing)
	for want, change := range map[string]func(*record.Run, *record.Config){
		"": nothing,
		"its number of ranks is 2, and this run's is 1": func(r *record.Run, c *record.Config) {
			r.Ranks, c.Machine.Ranks, r.Environment.Nodes = 2, 2, []string{"n", "n"}
		},
		"its program is another, and": func(r *record.Run, _ *record.Config) {
			r.Environment.Program = record.NewProgram("another", "")
		},
	} {
		expect.NoError(t, pruned.AddUnpruned(paths("", change)))
		expect.Contains(t, prunedFault(pruned), want)
		expect.Equal(t, prunedFault(pruned) == "", want == "", "no fault")
	}
}

// ofReference is the output of a run of the reference code with both kernels.
const ofReference = "../../record/testdata/official_both.txt"

// outputOf is the output of another program, with this text and these verdicts, nil for none.
func outputOf(t *testing.T, text string, v *record.Verdicts) Output {
	t.Helper()
	dir := t.TempDir()
	expect.Write(t, filepath.Join(dir, "out.log"), "starting\n"+text)
	expect.Write(t, filepath.Join(dir, "other.json"), "[1]")
	if v != nil {
		var b strings.Builder
		expect.NoError(t, output.Document(&b, record.VerdictsFormat, v))
		expect.Write(t, filepath.Join(dir, "bfs.json"), b.String())
	}
	return expect.Value(OpenOutput(dir))(t)
}

// The output of the reference code meets the rules. Each change breaks one.
func TestOutputOfAnotherProgram(t *testing.T) {
	text := expect.Read(t, ofReference)
	expect.Equal(t, broken(outputOf(t, text, nil).Check()), nil)
	remarks := outputOf(t, text, nil).Remarks()
	expect.Equal(t, len(remarks), 2)
	expect.Contains(t, remarks[1], "--kernel sssp --list FILE --json >DIR/sssp.json")
	seen := map[string]bool{}
	for change, want := range map[string]string{
		"edgefactor:>8": "edge factor 16", "NBFS:>16": "64 search keys", "construction_time:>0": "construction timed",
		"sssp max_TEPS:>": "an output block with every figure", "bfs  median_time:>": "an output block with every figure",
		"sssp median_time:>1e-9":                "minimum, quartiles, mean and maximum in order",
		"bfs  mean_time:>1":                     "minimum, quartiles, mean and maximum in order",
		"max_nedge:>1e9":                        "edge counts within the graph",
		"bfs  harmonic_mean_TEPS:     !>1.19e8": "TEPS that follow from times and edge counts",
		"sssp max_TEPS:>7e7":                    "TEPS that follow from times and edge counts",
		"bfs  min_validate:>-1":                 "every result validated by its program",
	} {
		name, value, _ := strings.Cut(change, ">")
		before, rest, _ := strings.Cut(text, "\n"+name)
		_, after, found := strings.Cut(rest, "\n")
		expect.Must(t, found, "no line %s", name)
		line := "\n" + name + " " + value
		if value == "" {
			line = ""
		}
		got := broken(outputOf(t, before+line+"\n"+after, nil).Check())
		expect.Contains(t, strings.Join(got, "\n"), want)
		seen[want] = true
	}
	for _, rule := range outputOf(t, text, nil).Check() {
		expect.Equal(t, seen[rule.Name], true, "a change breaks the rule", rule.Name)
	}
}

// Verdicts on the results must be of the block's run: its graph, keys, and times.
func TestVerdictsOnTheOutputOfAnotherProgram(t *testing.T) {
	run := expect.Value(record.Read(kept))(t)
	text := expect.Written(t, run.WriteSpec)
	for want, change := range map[string]func(v *record.Verdicts){
		"":                                  func(*record.Verdicts) {},
		"results of the official graph":     func(v *record.Verdicts) { v.Graph.Scale = 21 },
		"results of the official":           func(v *record.Verdicts) { v.Graph.Edges = "list" },
		"results that follow the rules":     func(v *record.Verdicts) { v.Results[3].Fault = "rule 1" },
		"64 search keys, all different":     func(v *record.Verdicts) { v.Results[3].Root = v.Results[4].Root },
		"search keys in the order in which": func(v *record.Verdicts) { v.Results[3].Root = 1 },
		"figures of these results":          func(v *record.Verdicts) { v.Results[3].Seconds *= 2 },
	} {
		v := record.Verdicts{Graph: run.Config.Graph, Kernel: record.BFS}
		for _, s := range run.Kernels[0].Searches {
			v.Results = append(v.Results, record.ResultVerdict{Root: s.Root, Seconds: s.Seconds, Edges: s.Edges})
		}
		change(&v)
		for i, r := range v.Results {
			if v.Results[i].TEPS = float64(r.Edges) / r.Seconds; r.Fault != "" {
				v.Results[i].TEPS = 0
			}
		}
		got := outputOf(t, text, &v)
		names := strings.Join(broken(got.Check()), "\n")
		if want == "" {
			expect.Equal(t, names, "")
			expect.Equal(t, got.Remarks(), nil)
		} else {
			expect.Contains(t, names, want)
		}
	}
}

func TestFoldersWithoutOneOutput(t *testing.T) {
	text := expect.Read(t, ofReference)
	for want, files := range map[string]map[string]string{
		"has an output block, with lines SCALE: and NBFS:": {"log": "SCALE: 10\n"},
		"both have an output block: leave one":             {"a": text, "b": text},
		"a has two output blocks: leave one":               {"a": text + text},
		"x.json has no verdicts of g500 validate --json":   {"x.json": `{"format": 3, "validate_seconds": 1}`},
	} {
		dir := t.TempDir()
		for name, content := range files {
			expect.Write(t, filepath.Join(dir, name), content)
		}
		expect.Error(t, expect.Err(OpenOutput(dir)), want)
	}
}
