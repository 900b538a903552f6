package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"g500/bench"
	"g500/record"
)

var update = flag.Bool("update", false, "rewrite the generated parts of documents and configs")

const readme = "../../README.md"

// part is what stands between two lines of a document.
func part(t *testing.T, file, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	sample, _, closed := strings.Cut(rest, to)
	if !found || !closed {
		t.Fatalf("%s has nothing between %q and %q", file, from, to)
	}
	return sample
}

// keep compares a part of a document with what the program says, or with -update puts it there. mask makes equal
// what may differ.
func keep(t *testing.T, file, from, to, got string, mask func(string) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := part(t, file, string(text), from, to)
	if mask(old) == mask(got) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the program says (go test ./cmd/g500 -update rewrites it):\n%s\nbut the program says\n%s",
			file, old, got)
	}
	whole := strings.Replace(string(text), from+old+to, from+got+to, 1)
	if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Measured figures differ from run to run; all else in the sample must not.
var figure = regexp.MustCompile(`[0-9][0-9.]*(e[+-][0-9]+)?( [GMkmun]?(TEPS|s)\b)?|, search key .*`)

func TestReadmeSample(t *testing.T) {
	status, out, errOut := call("run", "--config", "../../configs/tiny.toml")
	if status != success {
		t.Fatal(errOut)
	}
	keep(t, readme, "<!-- sample: g500 run --config configs/tiny.toml -->\n", "<!-- /sample -->", "```\n"+out+"```\n",
		func(s string) string { return figure.ReplaceAllString(s, "#") })
}

// twoDigits is a ratio with two digits that count, such as 6.2 or 100.
func twoDigits(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// The README begins with what the program is beside others, by ratios that its results have; results come before the
// reference, and the first command for a cluster is one for a laptop.
func TestReadmeBeginsWithWhatCounts(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	from := func(day string) func(row, figure string) []float64 {
		measured, err := os.ReadFile("../../results/epyc-2core/" + day + "/README.md")
		if err != nil {
			t.Fatal(err)
		}
		return func(row, figure string) []float64 { return figuresOf(t, string(measured), row, figure) }
	}
	of, before := from("2026-11-25"), from("2026-11-20")
	lines := strings.Split(string(text), "\n")
	head := strings.Join(lines[:12], " ")
	const single = "g500, 1 rank, 2 threads"
	for _, ratio := range []struct{ above, below []float64 }{
		{of(single, `([0-9,]+), [0-9.]+ \|`), of("official program, 1 rank", `([0-9]+) \|`)},
		{before("official program: generation", `([0-9.]+) \|`), before("g500: generation", `\| ([0-9.]+),`)},
		{of("GAP, mean ms", `([0-9.]+) \|`), of(single, `[0-9,]+, ([0-9.]+) \|`)},
	} {
		low, high := math.Inf(1), 0.0
		for i := range ratio.above {
			low, high = min(low, ratio.above[i]/ratio.below[i]), max(high, ratio.above[i]/ratio.below[i])
		}
		if want := fmt.Sprintf("%s to %s times", twoDigits(low), twoDigits(high)); !strings.Contains(head, want) {
			t.Errorf("the first lines do not say %q", want)
		}
	}
	at := func(what string) int { return strings.Index(string(text), what) }
	if at("## Results") < 0 || at("## Results") > at("## Commands") || at("docs/pictures/") > at("## Results") {
		t.Error("a picture, then the results, come before the reference")
	}
	if first := at("mpirun"); first < 0 || !strings.HasPrefix(string(text)[first:],
		"mpirun -n 2 --bind-to none bin/g500 run --config configs/tiny.toml") {
		t.Error("the first command for a cluster is not one for a laptop")
	}
	if len(lines) > 200 {
		t.Errorf("%d lines, more than 200", len(lines))
	}
}

// figuresOf are the figures of the three rounds in a row of a table.
func figuresOf(t *testing.T, text, row, pattern string) (figures []float64) {
	t.Helper()
	_, rest, found := strings.Cut(text, "| "+row)
	line, _, _ := strings.Cut(rest, "\n")
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(line, -1) {
		x, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		figures = append(figures, x)
	}
	if !found || len(figures) != 3 {
		t.Fatalf("%q has %v, not a figure of each round", row, figures)
	}
	return figures
}

func TestReadmePrices(t *testing.T) {
	var rows strings.Builder
	p := record.DefaultConfig().Params()
	for _, p.Scale = range []int{20, 26, 32} {
		fmt.Fprintf(&rows, "| %d | %s", p.Scale, bench.Bytes(12*p.Edges()))
		for _, ranks := range []int{1, 4, 64} {
			fmt.Fprintf(&rows, " | %s", bench.Bytes(bench.NewPlan(p, ranks, true).Total()))
		}
		rows.WriteString(" |\n")
	}
	keep(t, readme, "|---|---|---|---|---|\n", "\n## Limits", rows.String(), func(s string) string { return s })
}
