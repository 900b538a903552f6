// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/analysis/collect"
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
		want := bench.Bytes(int64(ranks) * bench.HostMemory(bench.WorkOf(cfg, ranks)).Total())
		expect.That(t, err == nil && strings.HasSuffix(m[0], " "+want), "%s: the program plans %s (%v)", m[0], want, err)
	}
}

// README.md names the place of the repository that the Makefile has, if it has one.
func TestReadmeGet(t *testing.T) {
	m := regexp.MustCompile(`(?m)^REPOSITORY_URL :=(.*)$`).FindStringSubmatch(read(t, "../../Makefile"))
	expect.Must(t, m != nil, "the Makefile has no REPOSITORY_URL")
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
	first := strings.Count(before, "\n") + 2
	expect.That(t, first <= 16, "the first command is in line %d, not within 16", first)
	at := func(what string) int { return strings.Index(text, what) }
	results, start, commands := at("## Results"), at("## Quick start"), at("## Commands")
	expect.That(t, 0 < results && results < start && start < commands,
		"the results must come before the quick start, and that before the commands")
	expect.That(t, at("mpirun -n") == at("mpirun -n 2 --bind-to none bin/g500 run --config configs/tiny.toml"),
		"the first command for a cluster must run on a laptop")
	table := clitest.Part(t, readme, text, "<!-- best -->\n", "<!-- /best -->")
	lines := strings.Count(text, "\n") - strings.Count(table, "\n")
	expect.That(t, lines <= 115, "%d lines and a table, more than 115", lines)
}

// The table of memory per rank in the guide has the planned memory.
func TestOperatorsMemory(t *testing.T) {
	var rows strings.Builder
	w := bench.WorkOf(settings.Default(), 1)
	for _, w.Scale = range []int{20, 26, 32} {
		fmt.Fprintf(&rows, "| %d | %s", w.Scale, bench.Bytes(12*w.Edges()))
		for _, w.Ranks = range []int{1, 4, 64} {
			fmt.Fprintf(&rows, " | %s", bench.Bytes(bench.HostMemory(w).Total()))
		}
		rows.WriteString(" |\n")
	}
	clitest.Keep(t, operators, "|---|---|---|---|---|\n", "\nThe plan is the sum", rows.String(), same)
}

const performance = "../../docs/PERFORMANCE.md"

// A point is a stored run by its columns in figures.csv, and its set, such as h200x2/2026-11-26.
type point struct {
	set string
	of  map[string]string
}

func (p point) number(column string) float64 {
	x, _ := strconv.ParseFloat(p.of[column], 64)
	return x
}

// figuresOf returns the runs of the sets that match a pattern, in the order of the files. make check-results compares
// figures.csv with the runs.
func figuresOf(t *testing.T, sets string) (points []point) {
	t.Helper()
	files, err := filepath.Glob("../../results/" + sets + "/figures.csv")
	expect.Must(t, err == nil && len(files) != 0, "no figures of %s (%v)", sets, err)
	for _, file := range files {
		rows := expect.Value(csv.NewReader(strings.NewReader(read(t, file))).ReadAll())(t)
		set, _ := filepath.Rel("../../results", filepath.Dir(file))
		for _, row := range rows[1:] {
			p := point{set: set, of: map[string]string{}}
			for i, column := range rows[0] {
				p.of[column] = row[i]
			}
			points = append(points, p)
		}
	}
	return points
}

// pointsOf returns the typical run of each kernel, scale and number of ranks and threads of these sets. Runs of
// variants, such as 32-bit results or a transport that was named, are left out.
func pointsOf(t *testing.T, sets string) []point {
	t.Helper()
	return slices.DeleteFunc(figuresOf(t, sets), func(p point) bool {
		return p.of["point_runs"] == "" || p.of["searches"] != "64" || p.of["edgefactor"] != "16" || p.of["variant"] != ""
	})
}

func byRate(a, b point) int { return cmp.Compare(a.number("point_teps"), b.number("point_teps")) }

// machine names the part of a machine that a run used, "" if it used only some of its cores.
func (p point) machine() string {
	name := strings.NewReplacer("(R)", "", " Processor", "", " 80GB HBM3", "").Replace(p.of["machine"])
	if p.of["engine"] == "gpu" {
		count := map[string]string{"1": "one ", "2": "two ", "4": "four ", "8": "eight "}[p.of["ranks"]]
		if name = cmp.Or(count, p.of["ranks"]+" ") + name; p.of["nodes"] != "1" {
			name += " of " + p.of["nodes"] + " nodes"
		}
		return name
	}
	if used := p.number("ranks") * p.number("threads"); !strings.Contains(name, fmt.Sprintf("(%g cores)", used)) {
		return ""
	}
	return strings.NewReplacer(" (", ", ", ")", "").Replace(name)
}

func (p point) kernel() string {
	name := map[string]string{"BFS": "BFS", "SSSP": "shortest paths"}[p.of["kernel"]]
	if p.of["prune"] == "hub" {
		name += ", pruned"
	}
	return name
}

func (p point) gteps() string { return collect.GTEPS(p.number("point_teps")) }

func (p point) milliseconds(column string) string { return collect.Digits(1e3 * p.number(column)) }

func (p point) commit() string {
	_, commit, _ := strings.Cut(strings.TrimSuffix(p.of["program"], ")"), "(commit ")
	return commit[:min(len(commit), 7)]
}

// README.md has the best stored point of each machine and kernel, by falling rate; texts of documents cite the table.
func TestReadmeTable(t *testing.T) {
	best := map[string]point{}
	for _, p := range pointsOf(t, "*/*") {
		key := p.kernel() + p.machine()
		if p.machine() != "" && p.of["prune"] == "" && byRate(best[key], p) < 0 {
			best[key] = p
		}
	}
	perWatt := perWatt(t)
	var rows strings.Builder
	rows.WriteString("| machine | kernel | scale | GTEPS | search, median, ms | kernel 1, s | GTEPS/W | stored run |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	points := slices.Collect(maps.Values(best))
	slices.SortFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(a.kernel(), b.kernel()), byRate(b, a)) })
	for _, p := range points {
		fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s | %s | %s | [%s](results/%s) |\n", p.machine(), p.kernel(),
			p.of["scale"], p.gteps(), p.milliseconds("median_seconds"), collect.Digits(p.number("construction_seconds")),
			perWatt[p.kernel()+p.machine()+p.of["scale"]], p.commit()+", "+p.of["started"][:10], p.set)
	}
	clitest.Keep(t, readme, "<!-- best -->\n", "<!-- /best -->", rows.String(), same)
	before, _, _ := strings.Cut(read(t, readme), "<!-- best -->")
	for _, m := range regexp.MustCompile(`([0-9,.]+) GTEPS on (\S+ NVIDIA \w+)`).FindAllStringSubmatch(before, -1) {
		p := best["BFS"+m[2]]
		expect.That(t, p.of != nil && p.gteps() == m[1], "README.md says %q, its table says otherwise", m[0])
	}
	expect.Contains(t, read(t, performance), "two peers "+best["BFStwo NVIDIA H200"].gteps())
}

// perWatt returns the GTEPS per watt of the newest metered run, except variants, by kernel, machine and scale.
func perWatt(t *testing.T) map[string]string {
	t.Helper()
	of, started := map[string]string{}, map[string]string{}
	for _, p := range figuresOf(t, "*/*") {
		key := p.kernel() + p.machine() + p.of["scale"]
		if p.of["teps_per_watt"] != "" && p.of["variant"] == "" && p.of["started"] > started[key] {
			of[key], started[key] = collect.GTEPS(p.number("teps_per_watt")), p.of["started"]
		}
	}
	return of
}

// Each table of PERFORMANCE.md has the runs of one set in a range of scales. They are of one machine and one commit.
func TestPerformanceTables(t *testing.T) {
	marks := regexp.MustCompile(`<!-- runs (\S+) (\d+) to (\d+) -->\n`).FindAllStringSubmatch(read(t, performance), -1)
	expect.Must(t, len(marks) >= 3, "%d tables in %s", len(marks), performance)
	for _, mark := range marks {
		points, sources := pointsOf(t, mark[1]), map[string]bool{}
		rows := "| machine | kernel | scale | GTEPS | search: median, slowest, ms | kernel 1, s | validation, ms |\n" +
			"|---|---|---|---|---|---|---|\n"
		for _, p := range points {
			if p.of["scale"] < mark[2] || p.of["scale"] > mark[3] {
				continue
			}
			sources[p.commit()] = true
			rows += fmt.Sprintf("| %s | %s | %s | %s ± %s | %s, %s | %s | %s |\n", p.machine(), p.kernel(), p.of["scale"],
				p.gteps(), collect.GTEPS(p.number("standard_error_teps")), p.milliseconds("median_seconds"),
				p.milliseconds("max_seconds"), collect.Digits(p.number("construction_seconds")),
				p.milliseconds("median_validate_seconds"))
		}
		expect.Equal(t, len(sources), 1, mark[1], "has runs of", sources)
		clitest.Keep(t, performance, mark[0], "<!-- /runs -->", rows, same)
	}
}

// README.md cites for CPUs only figures of the linked section, and the largest scales of the stored runs.
func TestReadmeFigures(t *testing.T) {
	text := read(t, readme)
	section := clitest.Part(t, performance, read(t, performance), "\n### CPUs\n", "\n## ")
	item := clitest.Part(t, readme, text, "benchmark suite](https://github.com/sbeamer/gapbs)", "\n- ")
	for _, figure := range regexp.MustCompile(`\b[a-f]*[0-9][0-9a-f.-]*\b`).FindAllString(item, -1) {
		expect.That(t, figure == "500" || regexp.MustCompile(`\b`+figure+`\b`).MatchString(section),
			"README.md says %q of CPUs, PERFORMANCE.md does not", figure)
	}
	largest := map[string]float64{}
	for _, p := range pointsOf(t, "*/*") {
		largest[p.of["engine"]] = max(largest[p.of["engine"]], p.number("scale"))
	}
	expect.Contains(t, text, fmt.Sprintf("scale %g on GPUs and %g on CPUs", largest["gpu"], largest["cpu"]))
}

// README.md has the ratios to other programs that the READMEs of results have.
func TestReadmeRatios(t *testing.T) {
	text := strings.Join(strings.Fields(read(t, readme)), " ")
	for set, pattern := range map[string]string{
		"epyc-2core/2026-11-28":  `(?m)^\| ratio of the means (\|.*) \|$`,
		"xeon-32core/2026-11-26": `there, (\d+ to \d+) times`,
	} {
		m := regexp.MustCompile(pattern).FindStringSubmatch(read(t, "../../results/"+set+"/README.md"))
		expect.Must(t, m != nil, "%s has no ratios", set)
		ratios := regexp.MustCompile(`[0-9.]+`).FindAllString(m[1], -1)
		want := slices.Min(ratios) + " to " + slices.Max(ratios) + " times"
		expect.That(t, strings.Contains(text, want), "README.md does not say %q", want)
	}
}
