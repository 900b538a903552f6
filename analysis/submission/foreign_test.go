// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/internal/output"
	"g500/record"
)

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
		if !found {
			t.Fatalf("no line %s", name)
		}
		line := "\n" + name + " " + value
		if value == "" {
			line = ""
		}
		got := broken(outputOf(t, before+line+"\n"+after, nil).Check())
		if len(got) == 0 || !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%s: breaks %q, want %q", change, got, want)
		}
		seen[want] = true
	}
	for _, rule := range outputOf(t, text, nil).Check() {
		if !seen[rule.Name] {
			t.Errorf("nothing breaks the rule %q", rule.Name)
		}
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
