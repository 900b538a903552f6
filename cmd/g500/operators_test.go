// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/bench"
	"g500/cmd/cli"
	"g500/cmd/cli/clitest"
	"g500/comm"
	"g500/gpu"
	"g500/internal/expect"
	"g500/record"
)

const (
	operators  = "../../docs/OPERATORS.md"
	submitting = "../../docs/SUBMIT.md"
	reference  = "../../docs/PRESETS.md" // generated
)

func same(s string) string { return s }

func TestOperatorsPresets(t *testing.T) {
	var items strings.Builder
	for _, p := range presets() {
		items.WriteString(clitest.Wrapped(fmt.Sprintf("- `%s`: %s", p.Name, p.What), 158))
		items.WriteString(clitest.Wrapped("  Memory and time: "+p.Price, 158))
	}
	clitest.Keep(t, reference, "<!-- presets -->\n", "<!-- /presets -->", items.String(), same)
}

// The page on submissions has the official classes of the presets.
func TestSubmitClasses(t *testing.T) {
	rows := map[int]string{}
	for _, p := range presets() {
		cfg := expect.Value(loadConfig(p.Name))(t)
		if scale := cfg.Graph.Scale; strings.HasPrefix(p.What, "the official problem class") {
			memory, time, _ := strings.Cut(strings.TrimSuffix(p.Price, "."), "; ")
			both, backend := "-", cpuBackend(1) // beyond the largest scale of shortest paths
			if cfg.Search.Kernel = "both"; scale <= backend.MaxPathsScale {
				both = bench.Bytes(backend.Memory(bench.WorkOf(cfg, 1))[0].Total())
			}
			rows[scale] = fmt.Sprintf("| %s | %d | %s | %s | %s |\n", p.Name, scale, memory, both, time)
		}
	}
	table := "| class | scale | memory of BFS | of both kernels, one rank | time of BFS |\n|---|---|---|---|---|\n"
	for _, scale := range slices.Sorted(maps.Keys(rows)) {
		table += rows[scale]
	}
	clitest.Keep(t, submitting, "<!-- classes -->\n", "<!-- /classes -->", table, same)
}

// The page on submissions has the largest scales that run --plan accepts, for GPUs with 39, 78 and 139 GiB.
func TestSubmitGPUs(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("| GPUs | 39 GiB each: BFS | both kernels | 78 GiB each: BFS | both kernels " +
		"| 139 GiB each: BFS | both kernels |\n|---|---|---|---|---|---|---|\n")
	for ranks := 1; ranks <= 32; ranks *= 2 {
		fmt.Fprintf(&rows, "| %d |", ranks)
		for _, memory := range []int64{39, 78, 139} {
			for _, kernel := range []string{"bfs", "both"} {
				c := presetNamed(t, "cluster").cfg
				c.Machine.Ranks, c.Search.Kernel = ranks, kernel
				device, _ := largestOnGPUs(c, "device", memory<<30)
				host, tuples := largestOnGPUs(c, "host", memory<<30)
				generated, _ := largestOnGPUs(c, "generated", memory<<30)
				expect.Equal(t, generated, max(device, host), kernel, "on", ranks, "GPUs, edge tuples generated")
				fmt.Fprintf(&rows, " %d", device)
				if host > device {
					fmt.Fprintf(&rows, "; %d (%d)", host, tuples>>30)
				}
				rows.WriteString(" |")
			}
		}
		rows.WriteString("\n")
	}
	clitest.Keep(t, submitting, "<!-- gpus -->\n", "<!-- /gpus -->", rows.String(), same)
}

// largestOnGPUs returns the largest scale with edge tuples in that memory, and their bytes per rank in host memory.
func largestOnGPUs(c record.Config, edgeMemory string, bytes int64) (scale int, tuples int64) {
	c.Machine.EdgeMemory = edgeMemory
	planner, work := gpu.Planner(c, c.Machine.Ranks == 1), bench.WorkOf(c, c.Machine.Ranks)
	work.Scale = bench.LargestScale(planner, work, bench.Budgets{Backend: bytes})
	return work.Scale, planner.Memory(work)[0].InHost
}

// Each run on GPUs under Slurm that the documents show is planned to fit into GPUs with 80 GB, tuples included.
func TestSubmittedRunsFit(t *testing.T) {
	line := regexp.MustCompile(`(?m)^sbatch (.*)slurm/(?:node|cluster)\.sbatch (configs/\S+) runs/\S+([^#\n]*)`)
	for _, file := range []string{submitting, "../../slurm/README.md"} {
		runs := line.FindAllStringSubmatch(read(t, file), -1)
		expect.Equal(t, len(runs) > 1, true, file, "has runs", runs)
		for _, run := range runs {
			nodes := regexp.MustCompile(`--nodes=(\d+)`).FindStringSubmatch(run[1] + " --nodes=1")
			n := expect.Value(strconv.Atoi(nodes[1]))(t)
			mustCall(t, append([]string{"run", "--plan", "--gpu-memory-gib", "78", "--edge-memory", "device",
				"--config", "../../" + run[2], "--ranks", strconv.Itoa(4 * n)}, strings.Fields(run[3])...)...)
		}
	}
}

// The documents have the table of launchers that the program uses.
func TestOperatorsLaunchers(t *testing.T) {
	code := func(words ...string) string {
		for i, w := range words {
			words[i] = "`" + w + "`"
		}
		return strings.ReplaceAll(strings.Join(words, ", "), "``", "-")
	}
	table := "| launcher | variables | ranks of Open MPI | ranks of MPICH |\n|---|---|---|---|\n"
	for _, s := range comm.Starters() {
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", s.Name, strings.TrimPrefix(code(s.Size, s.Rank), "-, "),
			code(s.OpenMPI), code(s.MPICH))
	}
	clitest.Keep(t, reference, "<!-- launchers -->\n", "<!-- /launchers -->", table, same)
}

// The guide has the files of a run, as its manual page has them.
func TestOperatorsFiles(t *testing.T) {
	table := "| file | content |\n|---|---|\n"
	for _, f := range thisProgram().Commands["g500 run"].Files {
		table += fmt.Sprintf("| `%s` | %s |\n", f.Name, f.Is)
	}
	clitest.Keep(t, operators, "<!-- files -->\n", "<!-- /files -->", table, same)
}

func TestCommandsInDocuments(t *testing.T) { tested.HasCommandsOf(t, readme, operators, submitting) }

// The index of decisions is in the order of their numbers.
func TestDecisionsAreInOrder(t *testing.T) {
	last, index := 0, read(t, "../../docs/adr/README.md")
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(index, -1) {
		n, _ := strconv.Atoi(m[1])
		expect.That(t, n > last, "decision %d comes after %d", n, last)
		last = n
	}
}

// Each stage of Containerfile is made from an image or an earlier stage, for each value of CUDA, and copies only from
// these. Its Go is not older than the Go of go.mod. (scripts/test-packaging.sh runs its make.)
func TestStagesOfContainerfile(t *testing.T) {
	text := read(t, "../../Containerfile")
	for _, cuda := range []string{"0", "1"} {
		var stages []string
		for _, line := range strings.Split(strings.ReplaceAll(text, "${CUDA}", cuda), "\n") {
			if m := regexp.MustCompile(`^FROM (\S+) AS (\S+)$`).FindStringSubmatch(line); m != nil {
				expect.That(t, strings.Contains(m[1], "/") || slices.Contains(stages, m[1]),
					"CUDA=%s: stage %s is made from %s, which is none", cuda, m[2], m[1])
				stages = append(stages, m[2])
			} else if strings.HasPrefix(line, "FROM ") {
				t.Errorf("a stage without a name: %s", line)
			}
			from := regexp.MustCompile(`--from=(\S+)`).FindStringSubmatch(line)
			expect.That(t, from == nil || slices.Contains(stages, from[1]), "CUDA=%s: %q is no stage to copy from", cuda, from)
		}
		expect.That(t, len(stages) != 0 && stages[len(stages)-1] == "run", "the stages are %q", stages)
	}
	image := regexp.MustCompile(`golang:1\.(\d+)`).FindStringSubmatch(text)
	module := regexp.MustCompile(`(?m)^go 1\.(\d+)`).FindStringSubmatch(read(t, "../../go.mod"))
	expect.That(t, image != nil && module != nil && image[1] >= module[1],
		"Go of the image: %q, of go.mod: %q", image, module)
}

// CHANGELOG has the format of keepachangelog.com: the version of this program with its date, newer versions first.
func TestChangelogKnowsThisVersion(t *testing.T) {
	text := read(t, "../../CHANGELOG.md")
	dated := regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(cli.Version) + `\] - \d{4}-\d\d-\d\d$`)
	expect.That(t, dated.MatchString(text), "no dated section for version %s", cli.Version)
	var dates []string
	kinds := []string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
	for _, line := range strings.Split(text, "\n") {
		kind, ok := strings.CutPrefix(line, "### ")
		expect.That(t, !ok || slices.Contains(kinds, kind), "%q is no kind of change: %q", kind, kinds)
		if name, ok := strings.CutPrefix(line, "## "); ok && name != "[Unreleased]" {
			_, date, dated := strings.Cut(name, "] - ")
			expect.That(t, dated && (len(dates) == 0 || date <= dates[len(dates)-1]),
				"section %q has no date, or is below an older one", name)
			dates = append(dates, date)
		}
	}
}
