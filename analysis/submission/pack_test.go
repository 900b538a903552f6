// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/internal/machine"
	"g500/record"
)

// A failed attempt leaves no file behind.
func TestPackingThatFails(t *testing.T) {
	r, dir := opened(t, kept), t.TempDir()
	expect.Error(t, r.Pack(filepath.Join(dir, "entry.zip"), r.Check()), ".tar.gz")
	broken := stored(t, func(r *record.Run, _ *record.Config) { r.GenerationSeconds = 0 })
	expect.Error(t, broken.Pack(filepath.Join(dir, "entry"), broken.Check()), "the run breaks a rule, and is not packed")
	r.Environment.Started = "yesterday"
	err := r.Pack(filepath.Join(dir, "entry.tar"), r.Check())
	expect.That(t, err != nil && strings.Count(err.Error(), "date") == 1, "a run without a date: %v", err)
	expect.Equal(t, len(expect.Value(os.ReadDir(dir))(t)), 0, "files left behind")
}

// made returns the stored run with its engine and kernels replaced.
func made(t *testing.T, engine, kernels string, change func(r *record.Run, c *record.Config)) Run {
	t.Helper()
	return stored(t, func(r *record.Run, c *record.Config) {
		r.Environment.Engine, c.Search.Kernel = engine, kernels
		if engine == "gpu" {
			r.Environment.Device = &record.Device{Name: "NVIDIA H200"}
		}
		searches := r.Kernels[0].Searches
		r.Kernels = record.NewKernelRuns(c.Search)
		for i := range r.Kernels {
			r.Kernels[i].ConstructionSeconds, r.Kernels[i].Searches = 2, searches
		}
		change(r, c)
	})
}

func nothing(*record.Run, *record.Config) {}

// built are runs whose paragraphs on their structure and timing differ.
var built = []struct {
	engine, kernel string
	change         func(r *record.Run, c *record.Config)
}{
	{"cpu", "bfs", nothing},
	{"cpu", record.Both, nothing},
	{"cpu", "sssp", func(r *record.Run, _ *record.Config) { r.Kernels[0].Prune = "hub" }},
	{"cpu", "bfs", func(r *record.Run, _ *record.Config) { r.Scale = 34 }},
	{"topdown", "bfs", nothing},
	{"topdown", record.Both, nothing},
	{"gpu", "bfs", func(_ *record.Run, c *record.Config) { c.Policy.Prelaunch = 1 }},
	{"gpu", "bfs", func(_ *record.Run, c *record.Config) { c.Policy.Prelaunch = 0 }},
	{"gpu", "bfs", func(r *record.Run, c *record.Config) {
		r.Environment.Device.NoPrelaunch, c.Policy.Prelaunch = "no pre-launch: launches wait for kernels", 1
	}},
	{"gpu", "sssp", func(r *record.Run, c *record.Config) { r.Ranks, c.Policy.Prelaunch = 4, 1 }},
	{"gpu", record.Both, func(r *record.Run, c *record.Config) {
		r.Kernels[1].ConstructionIncludesEarlier, c.Policy.Prelaunch = true, 0
	}},
}

// paragraphs returns the algorithms and the paragraphs "How it was built and timed" of all of them.
func paragraphs(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for i, c := range built {
		r := made(t, c.engine, c.kernel, c.change)
		_, text, _ := strings.Cut(r.System(), "# How it was built and timed\n")
		text, _, _ = strings.Cut(text, "\n#")
		fmt.Fprintf(&all, "# %d: %s, %s: %s\n%s\n", i, c.engine, c.kernel, r.algorithms(), text)
	}
	return all.String()
}

// The paragraph has only the sentences that apply to the run.
func TestHowBuilt(t *testing.T) { expect.Golden(t, "testdata/built.txt", paragraphs(t)) }

// Section "Kernel 2", timing: the list's readers must know what is timed. Therefore a decision record that mentions the
// clock has a line "**In system.txt.**" with the sentences that describe it, in quotes, or with "Nothing:" and the
// reason, and so has each record that system.txt names.
func TestTimingDecisionsAreDescribed(t *testing.T) {
	all := paragraphs(t)
	records, err := filepath.Glob("../../docs/adr/0*.md")
	expect.Must(t, err == nil && len(records) >= 50, "%d decision records: %v", len(records), err)
	onTiming := regexp.MustCompile(`\bclock\b|\btimed\b|warm-up|construction_time`)
	for _, path := range records {
		text := expect.Read(t, path)
		_, line, marked := strings.Cut(text, "\n**In system.txt.** ")
		named := strings.Contains(all, "docs/adr/"+filepath.Base(path)[:4])
		if !marked {
			expect.That(t, !named && !onTiming.MatchString(text),
				"%s is on timing, or named by system.txt: add a line **In system.txt.** with the sentences of system.txt "+
					"that describe it", path)
			continue
		}
		line, _, _ = strings.Cut(line, "\n\n")
		quotes := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(strings.ReplaceAll(line, "\n", " "), -1)
		expect.That(t, len(quotes) != 0 || !named && strings.HasPrefix(line, "Nothing: "),
			"%s: the line **In system.txt.** has no sentence in quotes", path)
		for _, quote := range quotes {
			expect.Contains(t, all, quote[1])
		}
	}
}

// The files in testdata have the descriptions and the remarks of runs: known values, and marks for others.
func TestSystem(t *testing.T) {
	for name, change := range map[string]func(r *record.Run, c *record.Config){
		"kept": nothing,
		"toy": func(r *record.Run, c *record.Config) {
			r.Scale, c.Graph.Scale = 26, 26
			r.Environment.Nodes, r.Environment.CPU = []string{"n1", "n0", "n1", "n0"}, ""
			r.Kernels[0].Power = &record.Power{Watts: 612.3, TEPSPerWatt: 2.3e9,
				Meters: []record.Meter{{Covers: "card 0"}, {Covers: "card 1"}}}
		},
		"two-kinds-of-nodes": func(r *record.Run, c *record.Config) {
			e := &r.Environment
			e.Nodes, e.Device = []string{"n0", "n1", "n2"}, &record.Device{Name: "NVIDIA H200",
				Processors: 132, Capability: "9.0", Driver: "CUDA 12.4", Built: "CUDA 12.4", Transports: "one rank"}
			e.Queue = []string{"SLURM_JOB_NUM_NODES=3"}
			e.Machines = []record.Kind{
				{Nodes: []string{"n0", "n2"}, Facts: machine.Facts{CPU: "Model X", Sockets: 2, Cores: 64, Threads: 128,
					MemoryB: 512 << 30, GPUs: []string{"NVIDIA H200", "NVIDIA T4", "NVIDIA H200"}, Driver: "550.54.15",
					Networks: []string{"mlx5_0 port 1: InfiniBand", "eth0 (ice): 25 Gb/s"}, Kernel: "6.1", Distro: "Debian 12",
					Scaling: "performance (driver intel_pstate)"}},
				{Nodes: []string{"n1"}, Facts: machine.Facts{CPU: "Model Y", Threads: 8, MemoryB: 64 << 30}},
			}
			c.Search.Power = true
			r.Kernels[0].Power = &record.Power{Refused: "rank 0 has no meter: engine x has none"}
		},
		"resumed": func(r *record.Run, c *record.Config) {
			resumed(r, 12)
			r.Parts[0].Environment.Started, r.Parts[0].Environment.Nodes = "2026-01-02T03:04:05Z", []string{"n7"}
			r.Environment.Program = record.NewProgram("g500 0.1.0", "1234567-dirty")
			r.Notes = []string{"ranks 0, 1 share GPU 0"}
			c.Search.Trace = true
		},
	} {
		r := stored(t, change)
		expect.Golden(t, "testdata/system-"+name+".txt", r.System()+"\n# Remarks\n"+strings.Join(r.Remarks(), "\n")+"\n")
	}
}
