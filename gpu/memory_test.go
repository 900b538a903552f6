// SPDX-License-Identifier: Apache-2.0

package gpu

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"g500/bench"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/settings"
)

const gib = 1 << 30

func official(scale int) kronecker.Params { return kronecker.Params{Scale: scale, EdgeFactor: 16} }

// The largest validated official graphs of GPUs with the memory that their drivers report: with the edge tuples in
// device memory, in host memory, and generated in each pass.
func TestLargestScale(t *testing.T) {
	for _, c := range []struct {
		name               string
		ranks              int
		bytes, host        int64
		device, auto, most int // most: generated
	}{
		{"H200", 1, 139 * gib, 130 * gib, 28, 30, 30},
		{"H200 in a node of 64 GiB", 1, 139 * gib, 60 * gib, 28, 28, 30},
		{"H100", 1, 78 * gib, 120 * gib, 27, 29, 29},
		{"A100 of 40 GB", 1, 39 * gib, 120 * gib, 26, 28, 28},
		{"V100 of 16 GB", 1, 15 * gib, 120 * gib, 25, 26, 26},
		{"H200", 2, 139 * gib, 120 * gib, 29, 30, 31},
		{"H200", 4, 139 * gib, 120 * gib, 30, 31, 31},
		{"H200", 8, 139 * gib, 120 * gib, 31, 32, 32},
		{"H200", 16, 139 * gib, 120 * gib, 32, 32, 32},
		{"H200", 64, 139 * gib, 120 * gib, 34, 34, 34},
		{"H200", 512, 139 * gib, 120 * gib, 37, 37, 37},
		{"H200", 1024, 139 * gib, 120 * gib, 37, 38, 38},
		{"H200", 8192, 139 * gib, 120 * gib, 40, 41, 41},
	} {
		for memory, want := range map[string]int{"device": c.device, "host": c.auto, "auto": c.auto, "generated": c.most} {
			cfg := settings.Default()
			cfg.Machine.EdgeMemory = memory
			budgets := bench.Budgets{Backend: c.bytes, Host: c.host}
			got := bench.LargestScale(Planner(cfg, c.ranks <= 8), bench.WorkOf(cfg, c.ranks), budgets)
			expect.That(t, got == want || memory == "host" && c.auto <= c.device,
				"%s, %d ranks, edge memory %s: scale %d fits, want %d", c.name, c.ranks, memory, got, want)
		}
	}
}

// A plan with packed rows is true to 2%: searches of one H200 at scale 30 and of one H100 at 29 had that many GiB in
// use, by nvidia-smi (commits 4ad4d4ac and aaa1b4af).
func TestMemoryOfPackedRows(t *testing.T) {
	for scale, used := range map[int]float64{30: 121.4, 29: 64.9} {
		cfg := settings.Default()
		cfg.Graph.Scale, cfg.Machine.GraphForm, cfg.Machine.EdgeMemory = scale, "packed", "host"
		plan := float64(Planner(cfg, true).Memory(bench.WorkOf(cfg, 1))[0].Total()) / gib
		expect.That(t, math.Abs(plan/used-1) <= 0.02, "scale %d: %.1f GiB by plan, %.1f in use", scale, plan, used)
	}
}

// The file in testdata has the plans of runs, part by part in MiB: a change of a term is a difference. The lines that
// are not indented have the number of ranks, whether they are peers, whether edges are arcs, and the settings.
func TestPlans(t *testing.T) {
	const golden = "testdata/plans.txt"
	var text strings.Builder
	cases := 0
	for line := range strings.Lines(expect.Read(t, golden)) {
		how, given, is := strings.Cut(line, ": ")
		if !is || line[0] == '\t' {
			continue
		}
		cases++
		text.WriteString(line)
		c := expect.Value(settings.Parse(golden, strings.ReplaceAll(given, ", ", "\n")))(t)
		var ranks int
		expect.NoError(t, expect.Err(fmt.Sscan(how, &ranks)))
		w := bench.WorkOf(c, ranks)
		w.Directed = strings.Contains(how, "arcs")
		for _, p := range Planner(c, strings.Contains(how, "peers")).Memory(w) {
			fmt.Fprintf(&text, "\ttuples %s, validator %s, building %s, host %s, engine %s:", mib(p.Tuples), mib(p.Validator),
				mib(p.Building), mib(p.InHost), mib(p.Engine))
			for _, part := range p.Parts {
				fmt.Fprintf(&text, " %s %s,", part.Name, mib(part.Bytes))
			}
			text.WriteString("\n")
		}
	}
	expect.That(t, cases >= 29, "%s has %d cases, and had 29", golden, cases)
	expect.Golden(t, golden, text.String())
}

// mib returns bytes in MiB, with six digits: the last bytes depend on the processor.
func mib(bytes int64) string { return strconv.FormatFloat(float64(bytes)/(1<<20), 'g', 6, 64) }

// Only tuples of the official graph are generated in each pass.
func TestOtherTuplesAreNotGenerated(t *testing.T) {
	c := settings.Default()
	c.Machine.EdgeMemory = "generated"
	expect.NoError(t, Planner(c, true).Check(bench.WorkOf(c, 1)))
	for _, c.Graph = range []settings.GraphConfig{{Edges: "list"}, {Spec: "road:9x9"}} {
		expect.Error(t, Planner(c, true).Check(bench.WorkOf(c, 1)), "generated is refused: only the official graph", c.Graph)
	}
}

// With little host memory a larger graph fits only if its tuples are generated again, or the rows are packed.
func TestLargestScalesBySettings(t *testing.T) {
	c := settings.Default()
	c.Graph.Scale = 29
	err := Planner(c, true).WritePlan(io.Discard, c, bench.Budget{Bytes: 78 * gib}, bench.Budget{Bytes: 20 * gib})
	expect.Error(t, err, "fits is 27 (29 with --edge-memory generated): use it")
	for host, want := range map[int64]string{20: "27 [up to scale 29 with --edge-memory generated]", 200: "29 [" +
		"up to scale 27 with --edge-memory device up to scale 28 with --graph-form plain]"} {
		usual, others := largestScales(bench.Budgets{Backend: 78 * gib, Host: host * gib})
		expect.Equal(t, fmt.Sprint(usual, " ", others), want, host)
	}
}

// Several ranks need 64-bit labels from scale 32 on, and 64-bit ids with them if they are no peers.
func TestGraphsWith64BitIDs(t *testing.T) {
	for _, c := range []struct {
		scale, ranks    int
		labels64, ids64 bool // on peers
	}{{31, 1, false, false}, {31, 4, false, false}, {31, 64, false, false}, {31, 1024, false, false}, {32, 4, true, false},
		{33, 8, true, false}, {34, 8, true, true}, {36, 512, true, true}} {
		for _, peers := range []bool{true, false} {
			got := jobOf(bench.Work{Params: official(c.scale), Ranks: c.ranks}, settings.SearchConfig{}, peers).ids()
			expect.Equal(t, [2]bool{got.labels64, got.ids64}, [2]bool{c.labels64, c.ids64 || c.labels64 && !peers},
				"scale", c.scale, "on", c.ranks, "ranks, peers:", peers)
		}
	}
	for bits, want := range map[int]int{64: 43, 32: 31} {
		c := settings.Config{Search: settings.SearchConfig{ResultBits: bits}}
		expect.Equal(t, Planner(c, true).MaxScale, want, bits, "bits")
	}
}
