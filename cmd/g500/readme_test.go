// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"g500/bench"
	"g500/cmd/cli/clitest"
	"g500/internal/expect"
	"g500/settings"
)

const readme = "../../README.md"

func TestReadmeSample(t *testing.T) {
	out := mustCall(t, "run", "--config", "../../configs/tiny.toml")
	_, summary, _ := strings.Cut(out, "\n\n") // after the output block
	const sample = "<!-- sample: g500 run --config configs/tiny.toml -->\n"
	clitest.Keep(t, readme, sample, "<!-- /sample -->", "```\n"+summary+"```\n",
		func(s string) string { return clitest.Figure.ReplaceAllString(s, "#") })
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

// README.md names the place of the repository that the Makefile has, if it has one.
func TestReadmeGet(t *testing.T) {
	m := regexp.MustCompile(`(?m)^REPOSITORY_URL :=(.*)$`).FindStringSubmatch(read(t, "../../Makefile"))
	if m == nil {
		t.Fatal("the Makefile has no REPOSITORY_URL")
	}
	clitest.Keep(t, readme, "<!-- get -->\n", "<!-- /get -->", cloning(strings.TrimSpace(m[1])), same)
	expect.Contains(t, cloning("https://a.org/x/g500.git"), "\ngit clone https://a.org/x/g500.git g500\n")
}

func cloning(address string) string {
	if address == "" {
		return ""
	}
	return "```sh\ngit clone " + address + " g500\ncd g500\n```\n"
}

// README.md is short, and its first command comes soon. The first command for a cluster runs on a laptop.
func TestReadmeOrder(t *testing.T) {
	text := read(t, readme)
	before, _, _ := strings.Cut(text, "\nmake run")
	if lines := strings.Count(before, "\n"); lines > 14 {
		t.Errorf("the first command is in line %d, not within 15", lines+2)
	}
	at := func(what string) int { return strings.Index(text, what) }
	if at("## Results") < 0 || at("## Results") > at("## Quick start") || at("## Quick start") > at("## Commands") {
		t.Error("the results must come before the quick start, and that before the commands")
	}
	if first := at("mpirun -n"); first < 0 || !strings.HasPrefix(text[first:],
		"mpirun -n 2 --bind-to none bin/g500 run --config configs/tiny.toml") {
		t.Error("the first command for a cluster must run on a laptop")
	}
	table := clitest.Part(t, readme, text, "<!-- best -->\n", "<!-- /best -->")
	if lines := strings.Count(text, "\n") - strings.Count(table, "\n"); lines > 115 {
		t.Errorf("%d lines and a table, more than 115", lines)
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
