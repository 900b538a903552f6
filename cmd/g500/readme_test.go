package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"g500/bench"
	"g500/bfs"
)

var update = flag.Bool("update", false, "rewrite what README.md, docs/OPERATORS.md and configs/ say of the program")

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

func TestReadmePrices(t *testing.T) {
	var rows strings.Builder
	p := bench.DefaultConfig().Params()
	kit := bench.CPU("hybrid", bfs.NewHybrid(1), 1)
	for _, p.Scale = range []int{20, 22, 24, 26, 28, 30, 32} {
		fmt.Fprintf(&rows, "| %d | %s", p.Scale, bench.Bytes(12*p.Edges()))
		for _, ranks := range []int{1, 4, 64} {
			fmt.Fprintf(&rows, " | %s", bench.Bytes(kit.Memory(p, ranks, true).Total()))
		}
		rows.WriteString(" |\n")
	}
	keep(t, readme, "|---|---|---|---|---|\n", "\n## Limits", rows.String(), func(s string) string { return s })
}
