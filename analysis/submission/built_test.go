package submission

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
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

// described is a run with the sentences on its timing and structure that depend on the run.
type described struct {
	engine string
	kernel string
	change func(r *record.Run, c *record.Config)
	want   []string
}

const (
	device, host = "in the memory of the GPUs", "in host memory"
	woken        = "are woken before the clock starts"
	before       = "4 to 5 us per search (docs/adr/0004)"
	peers        = "launched in the clock."
	narrow       = "number vertices in 32 bits; results have"
	wide         = "in more otherwise"
	byDegree     = "by falling degree, within its time"
	dropped      = "drops self-loops and duplicate edges"
	trialPush    = "pushes once from the vertex with the most edges"
	two          = "construction_time is the sum of both"
	shared       = "its time includes both"
	leftOut      = "TEPS count these edges too."
)

// paragraph returns the paragraph "How it was built and timed" of system.txt.
func (d described) paragraph(t *testing.T) string {
	text := made(t, d.engine, d.kernel, d.change).System()
	_, text, _ = strings.Cut(text, "# How it was built and timed\n")
	text, _, _ = strings.Cut(text, "\n#")
	return text
}

func describedRuns() []described {
	nothing := func(*record.Run, *record.Config) {}
	prelaunch := func(_ *record.Run, c *record.Config) { c.Policy.Prelaunch = 1 }
	return []described{
		{"cpu", "bfs", nothing, []string{host, woken, narrow, byDegree, dropped}},
		{"cpu", record.Both, nothing,
			[]string{host, woken, narrow, byDegree, dropped, trialPush, two, "structures of BFS and SSSP number"}},
		{"cpu", "sssp", func(r *record.Run, _ *record.Config) { r.Kernels[0].Prune = "hub" },
			[]string{host, woken, narrow, byDegree, dropped, trialPush, leftOut}},
		{"cpu", "bfs", func(r *record.Run, _ *record.Config) { r.Scale = 34 },
			[]string{host, woken, wide, byDegree, dropped}},
		{"topdown", "bfs", nothing, []string{host}},
		{"topdown", record.Both, nothing, []string{host, narrow, byDegree, dropped, two, "Kernel 1 of SSSP drops"}},
		{"gpu", "bfs", prelaunch, []string{device, before, narrow, byDegree, dropped}},
		{"gpu", "bfs", func(_ *record.Run, c *record.Config) { c.Policy.Prelaunch = 0 },
			[]string{device, narrow, byDegree, dropped}},
		{"gpu", "bfs", func(r *record.Run, c *record.Config) {
			r.Environment.Device.NoPrelaunch, c.Policy.Prelaunch = "no pre-launch: launches wait for kernels", 1
		}, []string{device, narrow, byDegree, dropped}},
		{"gpu", "sssp", func(r *record.Run, c *record.Config) { r.Ranks, c.Policy.Prelaunch = 4, 1 },
			[]string{device, before, peers, narrow, byDegree, dropped}},
		{"gpu", record.Both, func(r *record.Run, c *record.Config) {
			r.Kernels[1].ConstructionIncludesEarlier, c.Policy.Prelaunch = true, 0
		}, []string{device, narrow, byDegree, dropped, shared}},
	}
}

// The paragraph has only the sentences that apply to the run.
func TestHowBuilt(t *testing.T) {
	for _, d := range describedRuns() {
		text := d.paragraph(t)
		for _, sentence := range []string{device, host, woken, before, peers, narrow, wide, byDegree, dropped, trialPush, two,
			shared, leftOut} {
			want := strings.Contains(strings.Join(d.want, "\n"), sentence)
			if strings.Contains(text, sentence) != want {
				t.Errorf("%s %s: the sentence %q is there: %t, want %t\n%s", d.engine, d.kernel, sentence, !want, want, text)
			}
		}
		for _, want := range append(d.want, "runs from a barrier of all ranks", "An untimed warm-up search") {
			if !strings.Contains(text, want) {
				t.Errorf("%s %s: no %q in\n%s", d.engine, d.kernel, want, text)
			}
		}
	}
}

// Section "Kernel 2", timing: the list's readers must know what is timed. Therefore a decision record that mentions the
// clock has a line "**In system.txt.**" with the sentences that describe it, in quotes, or with "Nothing:" and the
// reason, and so has each record that system.txt names.
func TestTimingDecisionsAreDescribed(t *testing.T) {
	var all strings.Builder
	for _, d := range describedRuns() {
		all.WriteString(d.paragraph(t))
	}
	records, err := filepath.Glob("../../docs/adr/0*.md")
	if err != nil || len(records) < 50 {
		t.Fatalf("%d decision records: %v", len(records), err)
	}
	onTiming := regexp.MustCompile(`\bclock\b|\btimed\b|warm-up|construction_time`)
	for _, path := range records {
		text := expect.Value(os.ReadFile(path))(t)
		_, line, marked := strings.Cut(string(text), "\n**In system.txt.** ")
		named := strings.Contains(all.String(), "docs/adr/"+filepath.Base(path)[:4])
		if !marked {
			if named || onTiming.Match(text) {
				t.Errorf("%s is on timing, or named by system.txt: add a line **In system.txt.** with the sentences of built.go "+
					"that describe it", path)
			}
			continue
		}
		line, _, _ = strings.Cut(line, "\n\n")
		quotes := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(strings.ReplaceAll(line, "\n", " "), -1)
		if len(quotes) == 0 && (named || !strings.HasPrefix(line, "Nothing: ")) {
			t.Errorf("%s: the line **In system.txt.** has no sentence in quotes", path)
		}
		for _, quote := range quotes {
			if !strings.Contains(all.String(), quote[1]) {
				t.Errorf("%s: system.txt does not have %q", path, quote[1])
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
