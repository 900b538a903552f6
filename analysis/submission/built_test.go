package submission

import (
	"strings"
	"testing"

	"g500/record"
)

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

// The paragraph has only the sentences that apply to the run.
func TestHowBuilt(t *testing.T) {
	const (
		device, host = "in the memory of the GPUs", "in host memory"
		before       = "4 to 5 us per search (docs/adr/0004)"
		peers        = "launched in the clock."
		narrow       = "number vertices in 32 bits; results have"
		wide         = "in more otherwise"
		dropped      = "drops self-loops and duplicate edges"
		two          = "construction_time is the sum of both"
		pruned       = "TEPS count these edges too."
	)
	nothing := func(*record.Run, *record.Config) {}
	prelaunch := func(_ *record.Run, c *record.Config) { c.Policy.Prelaunch = 1 }
	for _, c := range []struct {
		engine string
		kernel string
		change func(r *record.Run, c *record.Config)
		want   []string
	}{
		{"cpu", "bfs", nothing, []string{host, narrow, dropped}},
		{"cpu", record.Both, nothing, []string{host, narrow, dropped, two, "structures of BFS and SSSP number"}},
		{"cpu", "sssp", func(r *record.Run, _ *record.Config) { r.Kernels[0].Prune = "hub" },
			[]string{host, narrow, dropped, pruned}},
		{"cpu", "bfs", func(r *record.Run, _ *record.Config) { r.Scale = 34 }, []string{host, wide, dropped}},
		{"topdown", "bfs", nothing, []string{host}},
		{"topdown", record.Both, nothing, []string{host, narrow, dropped, two, "Kernel 1 of SSSP drops"}},
		{"gpu", "bfs", prelaunch, []string{device, before, narrow, dropped}},
		{"gpu", "bfs", func(_ *record.Run, c *record.Config) { c.Policy.Prelaunch = 0 }, []string{device, narrow, dropped}},
		{"gpu", "bfs", func(r *record.Run, c *record.Config) {
			r.Environment.Device.NoPrelaunch, c.Policy.Prelaunch = "no pre-launch: launches wait for kernels", 1
		}, []string{device, narrow, dropped}},
		{"gpu", "sssp", func(r *record.Run, c *record.Config) { r.Ranks, c.Policy.Prelaunch = 4, 1 },
			[]string{device, before, peers, narrow, dropped}},
	} {
		text := made(t, c.engine, c.kernel, c.change).System()
		_, text, _ = strings.Cut(text, "# How it was built and timed\n")
		text, _, _ = strings.Cut(text, "\n#")
		for _, sentence := range []string{device, host, before, peers, narrow, wide, dropped, two, pruned} {
			want := strings.Contains(strings.Join(c.want, "\n"), sentence)
			if strings.Contains(text, sentence) != want {
				t.Errorf("%s %s: the sentence %q is there: %t, want %t\n%s", c.engine, c.kernel, sentence, !want, want, text)
			}
		}
		for _, want := range append(c.want, "runs from a barrier of all ranks") {
			if !strings.Contains(text, want) {
				t.Errorf("%s %s: no %q in\n%s", c.engine, c.kernel, want, text)
			}
		}
	}
}

func TestAlgorithmsOfEngines(t *testing.T) {
	for engine, want := range map[string]string{
		"cpu":     "direction-optimizing BFS; SSSP by pushes",
		"gpu":     "direction-optimizing BFS; SSSP by pushes",
		"topdown": "level-synchronous top-down BFS; SSSP by Bellman-Ford rounds",
	} {
		r := made(t, engine, record.Both, func(*record.Run, *record.Config) {})
		if got := r.algorithms(); !strings.HasPrefix(got, want) {
			t.Errorf("engine %s: %s", engine, got)
		}
	}
}

func TestGreenFields(t *testing.T) {
	for _, c := range []struct {
		change func(r *record.Run, c *record.Config)
		want   []string
	}{
		{func(*record.Run, *record.Config) {}, []string{
			"component measured:     FILL IN\n", "idle included:          FILL IN (yes or no)\n",
			"frequency scaling:      processors FILL IN\n",
		}},
		{func(r *record.Run, _ *record.Config) {
			r.Environment.Nodes, r.Environment.Device = []string{"n0", "n1"}, &record.Device{}
			r.Environment.Machines = []record.Kind{
				{Nodes: []string{"n0"}, Machine: record.Machine{Scaling: "performance (driver intel_pstate)"}},
				{Nodes: []string{"n1"}},
			}
			r.Kernels[0].Power = &record.Power{Watts: 612.3, Meters: []record.Meter{{Covers: "card 0"}, {Covers: "card 1"}}}
		}, []string{
			"component measured:     card 0, card 1, by this program's meters; FILL IN for the power above\n",
			"idle included:          yes for these components",
			"frequency scaling:      processors performance (driver intel_pstate) on n0, FILL IN on n1; accelerators FILL IN\n",
		}},
		{func(r *record.Run, c *record.Config) {
			c.Search.Power, r.Kernels[0].Power = true, &record.Power{Refused: "rank 0 has no meter: engine x has none"}
		}, []string{"component measured:     FILL IN\n",
			"BFS power of parts:     no figure: rank 0 has no meter: engine x has none\n"}},
	} {
		text := stored(t, c.change).System()
		for _, line := range c.want {
			if !strings.Contains(text, line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
	}
}

func TestRemarkOnSmallScales(t *testing.T) {
	for scale, want := range map[int]bool{20: true, 25: true, 26: false, 27: false, 43: false} {
		r := opened(t, kept)
		r.Scale = scale
		if got := strings.Contains(strings.Join(r.Remarks(), "\n"), "below every problem class"); got != want {
			t.Errorf("scale %d: remarked is %t", scale, got)
		}
	}
}
