package main

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"g500/bench"
	"g500/cmd/cli/clitest"
	"g500/record"
	"g500/results"
	"g500/settings"
)

var update = flag.Bool("update", false, "rewrite the generated parts of documents and configs")

const readme = "../../README.md"

func TestReadmeSample(t *testing.T) {
	out := mustCall(t, "run", "--config", "../../configs/tiny.toml")
	_, summary, _ := strings.Cut(out, "\n\n") // after the output block
	const sample = "<!-- sample: g500 run --config configs/tiny.toml -->\n"
	clitest.Keep(t, readme, sample, "<!-- /sample -->", "```\n"+summary+"```\n",
		func(s string) string { return clitest.Figure.ReplaceAllString(s, "#") })
}

// Stored runs have the rates in README.md. Ratios to GAP are of mean times, from the tables of results.
func TestReadmeFiguresAreStored(t *testing.T) {
	text, stored := read(t, readme), results.Unpack(t, "../../results", "h200x[24]/2026-11-26*")
	rate := func(folder string) float64 {
		run, err := record.Read(filepath.Join(stored, folder))
		if err != nil {
			t.Fatal(err)
		}
		return run.Statistics(run.Kernels[0]).TEPS.HarmonicMean / 1e9
	}
	for folder, scales := range map[string][]string{
		"h200x2/2026-11-26-4c3e53d/bfs-gpus1-scale%s":             {"26", "28"},
		"h200x2/2026-11-26-4c3e53d/bfs-gpus2-scale%s":             {"27"},
		"h200x4/2026-11-26/bfs-gpus4-scale%s":                     {"28", "30"},
		"h200x2/2026-11-26-4c3e53d/sssp-gpus1-scale%s-prune-none": {"26"},
		"h200x2/2026-11-26-4c3e53d/sssp-gpus1-scale%s-prune-hub":  {"26"},
		"h200x2/2026-11-26/sssp-gpus2-scale%s-prune-none":         {"27"},
		"h200x2/2026-11-26/sssp-gpus2-scale%s-prune-hub":          {"27"},
	} {
		var figures []string
		for _, scale := range scales {
			figures = append(figures, thousands(rate(fmt.Sprintf(folder, scale))))
		}
		if want := strings.Join(figures, "; "); !strings.Contains(text, want) {
			t.Errorf("README.md does not have %q of "+folder, want, scales)
		}
	}
	const edges = 16775818.0 // of every search at scale 20
	epyc, xeon := tableOf(t, "epyc-2core/2026-11-28"), tableOf(t, "xeon-2core/2026-11-26-96c4b44")
	means := epyc("g500, 1 rank, 2 threads", `([0-9,]+), [0-9.]+ \|`)
	for i := range means {
		means[i] = edges / (1e3 * means[i])
	}
	gap := xeon("20", `([0-9.]+)(?:,| \|)`)
	for _, ratio := range [][2][]float64{{epyc("GAP, mean ms", `([0-9.]+) \|`), means}, {gap[3:6], gap[:3]}} {
		low, high := math.Inf(1), 0.0
		for i := range ratio[0] {
			low, high = min(low, ratio[0][i]/ratio[1][i]), max(high, ratio[0][i]/ratio[1][i])
		}
		if want := fmt.Sprintf("%.1f to %.1f times", low, high); !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

// The first runs of README.md have the planned memory of all their ranks.
func TestReadmeMemory(t *testing.T) {
	text := read(t, readme)
	for _, m := range regexp.MustCompile(`-n (\d) --bind-to none bin/g500 run --config configs/(tiny|toy)\.toml.*`).
		FindAllStringSubmatch(text, -1) {
		cfg, err := loadConfig(m[2])
		ranks, _ := strconv.Atoi(m[1])
		want := bench.Bytes(int64(ranks) * bench.NewPlan(cfg.Params(), ranks, cfg.Search.Validate).Total())
		if err != nil || !strings.HasSuffix(m[0], " "+want) {
			t.Errorf("%s: the program plans %s (%v)", m[0], want, err)
		}
	}
}

// thousands writes a rate without decimals, with commas between groups of three digits.
func thousands(x float64) string {
	s := strconv.Itoa(int(math.Round(x)))
	if len(s) > 3 {
		s = s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}

// tableOf returns a function that finds the numbers of a row in the tables of a folder's README, by a pattern.
func tableOf(t *testing.T, folder string) func(row, pattern string) []float64 {
	t.Helper()
	text := read(t, "../../results/"+folder+"/README.md")
	return func(row, pattern string) (figures []float64) {
		_, rest, _ := strings.Cut(text, "| "+row)
		line, _, _ := strings.Cut(rest, "\n")
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(line, -1) {
			x, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
			if err != nil {
				t.Fatal(err)
			}
			figures = append(figures, x)
		}
		if len(figures) < 3 {
			t.Fatalf("%q of %s has %v, not one figure per round", row, folder, figures)
		}
		return figures
	}
}

// README.md is short, begins with a picture and results, and its first command for a cluster runs on a laptop.
func TestReadmeOrder(t *testing.T) {
	text := read(t, readme)
	at := func(what string) int { return strings.Index(text, what) }
	if at("## Results") < 0 || at("## Results") > at("## Commands") || at("docs/pictures/") > at("## Results") {
		t.Error("the picture, then the results, must come before the commands")
	}
	if first := at("mpirun -n"); first < 0 || !strings.HasPrefix(text[first:],
		"mpirun -n 2 --bind-to none bin/g500 run --config configs/tiny.toml") {
		t.Error("the first command for a cluster must run on a laptop")
	}
	if lines := strings.Count(text, "\n"); lines > 120 {
		t.Errorf("%d lines, more than 120", lines)
	}
}

// The table of memory per rank in the guide has the planned memory.
func TestOperatorsMemory(t *testing.T) {
	var rows strings.Builder
	p := settings.Default().Params()
	for _, p.Scale = range []int{20, 26, 32} {
		fmt.Fprintf(&rows, "| %d | %s", p.Scale, bench.Bytes(12*p.Edges()))
		for _, ranks := range []int{1, 4, 64} {
			fmt.Fprintf(&rows, " | %s", bench.Bytes(bench.NewPlan(p, ranks, true).Total()))
		}
		rows.WriteString(" |\n")
	}
	clitest.Keep(t, operators, "|---|---|---|---|---|\n", "\nThe plan is the sum", rows.String(), same)
}
