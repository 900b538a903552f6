// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/bench"
	"g500/internal/expect"
	"g500/record"
	"g500/results"
)

// The presets have the official parameters, and there is one for each problem class of the specification V1.2.
func TestPresetsAreOfficial(t *testing.T) {
	scales := map[string]int{
		"tiny": 14, "laptop": 20, "gpu1": 26, "node2": 27, "node4": 28, "node8": 29, "cluster": 31,
		"toy": 26, "mini": 29, "small": 32, "medium": 36, "large": 39, "huge": 42,
	}
	for _, p := range presets() {
		g, s := p.cfg.Graph, p.cfg.Search
		expect.That(t, g.Scale == scales[p.Name] && g.EdgeFactor == 16 && g.Seeds == [2]uint64{2, 3} && g.Edges == "" &&
			s.Keys == 64 && s.Validate && !s.KernelTimes,
			"%s: %+v, want the official graph of scale %d and 64 validated searches", p.Name, p.cfg, scales[p.Name])
		scale := fmt.Sprintf("scale %d", g.Scale)
		expect.That(t, strings.Contains(p.What, scale+" ") || strings.Contains(p.What, scale+","),
			"%s does not have %q: %s", p.Name, scale, p.What)
		delete(scales, p.Name)
	}
	for name := range scales {
		t.Errorf("there is no preset %s", name)
	}
}

// Presets of n GPUs have n ranks, and use about the same memory of each GPU.
func TestPresetsOfGPUs(t *testing.T) {
	for name, ranks := range map[string]int{"gpu1": 1, "node2": 2, "node4": 4, "node8": 8, "cluster": 32} {
		p := presetNamed(t, name)
		expect.That(t, p.gpus() == ranks && p.memory() <= 36<<30 && p.memory() >= 24<<30,
			"%s is for %d GPUs and uses %s of each", name, p.gpus(), bench.Bytes(p.memory()))
	}
}

func presetNamed(t *testing.T, name string) preset {
	t.Helper()
	for _, p := range presets() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("there is no preset %s", name)
	return preset{}
}

// The memory in a price is the planned memory; the time without GPUs is proportional to the tuples of a stored run.
func TestPresetPrices(t *testing.T) {
	onHosts := regexp.MustCompile(`or ([0-9.]+ .iB) on each of ([0-9]+) nodes`) // with one rank per node
	for _, p := range presets() {
		if memory := bench.Bytes(p.memory()); !strings.HasPrefix(p.Price, memory+" of ") && !expect.Updating() {
			t.Errorf("%s costs %s of memory, but its price is %q (make golden rewrites it)", p.Name, memory, p.Price)
		} else if _, rest, _ := strings.Cut(p.Price, " of "); memory+" of "+rest != p.Price {
			text := strings.Replace(p.Text, "# Price: "+p.Price+"\n", "# Price: "+memory+" of "+rest+"\n", 1)
			expect.Write(t, filepath.Join("../../configs", p.Name+".toml"), text)
		}
		if p.gpus() > 0 {
			continue
		}
		if price := onHosts.FindStringSubmatch(p.Price); price != nil {
			hosts, _ := strconv.Atoi(price[2])
			expect.Equal(t, bench.Bytes(bench.HostMemory(bench.WorkOf(p.cfg, hosts)).Total()), price[1],
				p.Name, "costs", "on each of", hosts, "nodes, but its price is", p.Price)
		}
		time := coreTime(p.coreSeconds())
		expect.That(t, strings.Contains(p.Price, "; "+time+"."), "%s takes %s, but its price is %q", p.Name, time, p.Price)
	}
}

// coreTime returns a time with two significant digits.
func coreTime(seconds float64) string {
	for _, unit := range []struct {
		name            string
		seconds, beyond float64
	}{{"core-seconds", 1, 120}, {"core-minutes", 60, 120}, {"core-hours", 3600, math.Inf(1)}} {
		if n := seconds / unit.seconds; n < unit.beyond {
			digits := math.Pow10(int(math.Floor(math.Log10(n))) - 1)
			return fmt.Sprintf("%.12g %s", math.Round(n/digits)*digits, unit.name)
		}
	}
	return ""
}

// The rate of these prices and the time of gpu1 are from stored runs in results/.
func TestPresetTimesAreMeasured(t *testing.T) {
	seconds := func(set, name string) float64 {
		run := expect.Value(record.Read(filepath.Join(results.Unpack(t, "../../results", set), set, name)))(t)
		sum := run.GenerationSeconds + run.ConstructionSeconds()
		for _, s := range run.Kernels[0].Searches {
			sum += s.Seconds + s.ValidateSeconds
		}
		return sum
	}
	p := presetNamed(t, "toy")
	p.cfg.Graph.Scale = 24
	got, measured := p.coreSeconds(), 2*seconds("epyc-2core/2026-11-20", "scale24")
	expect.That(t, math.Abs(got-measured) <= 0.01*measured,
		"scale 24 takes %.0f core-seconds by the price, %.0f in results/", got, measured)
	want := fmt.Sprintf("; %.1f s on an H200.", seconds("h200x2/2026-11-26-4c3e53d", "bfs-gpus1-scale26"))
	expect.That(t, strings.HasSuffix(presetNamed(t, "gpu1").Price, want),
		"the price of gpu1 is %q, want %q", presetNamed(t, "gpu1").Price, want)
}

func TestProposals(t *testing.T) {
	const gib = 1 << 30
	gpus := func(n int, size int64) []int64 { return slices.Repeat([]int64{size * gib}, n) }
	for _, c := range []struct {
		meaning string
		gpus    []int64
		memory  int64
		cores   int
		want    string
	}{
		{"next to nothing", nil, gib / 4, 1, "tiny"},
		{"a laptop", nil, 12 * gib, 4, "laptop"},
		{"a server", nil, 120 * gib, 32, "toy"},
		{"a server with few cores for its memory", nil, 500 * gib, 2, "toy"},
		{"a large server", nil, 500 * gib, 64, "mini"},
		{"a GPU", gpus(1, 139), 120 * gib, 16, "gpu1"},
		{"a small GPU", gpus(1, 16), 24 * gib, 8, "laptop"},
		{"two GPUs", gpus(2, 40), 120 * gib, 16, "node2"},
		{"three GPUs", gpus(3, 139), 120 * gib, 16, "node2"},
		{"four GPUs", gpus(4, 139), 500 * gib, 64, "node4"},
		{"four GPUs, one of which is small", append(gpus(3, 139), 8*gib), 120 * gib, 16, "toy"},
		{"eight GPUs", gpus(8, 80), 1000 * gib, 128, "node8"},
	} {
		node := hardware{available: c.memory, cores: c.cores, gpuFacts: gpuFacts{Memories: c.gpus}}
		expect.Equal(t, propose(node).Name, c.want, c.meaning)
	}
}

func TestPresetCommands(t *testing.T) {
	for name, want := range map[string]string{
		"laptop": "g500 run --config laptop",
		"gpu1":   "g500 run --config gpu1",
		"node4":  "mpirun -n 4 --bind-to none g500 run --config node4",
	} {
		expect.Equal(t, presetNamed(t, name).Command, want, name, "is started by")
	}
}
