// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"cmp"
	_ "embed" // for the template
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"g500/bench"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/record"
	"g500/settings"
)

// toFill marks values that the program cannot know.
const toFill = "FILL IN"

//go:embed system.gotmpl
var systemText string

var systemTemplate = template.Must(template.New("system").Funcs(template.FuncMap{
	"fill":   func() string { return toFill },
	"known":  known,
	"list":   func(names []string) string { return strings.Join(names, ", ") },
	"name":   func(format string, args ...any) string { return fmt.Sprintf("%-24s", fmt.Sprintf(format, args...)+":") },
	"next":   func(i int) int { return i + 1 },
	"times":  func(n, nodes int) int { return n * nodes },
	"bytes":  func(n int64, nodes int) string { return bench.Bytes(n * int64(nodes)) },
	"per":    func(x, unit float64) float64 { return x / unit },
	"models": models,
	"class":  class,
}).Parse(systemText))

// System describes the machine and the result, with one line per property that the list shows of an entry. Values that
// the program does not know are left to fill in.
func (r Run) System() string {
	e := r.Environment
	var b strings.Builder
	err := systemTemplate.Execute(&b, struct {
		Run
		Nodes        []string      // each once
		Kinds        []record.Kind // of nodes
		Algorithms   string
		OnCPU, OnGPU bool              // the engine's place, except of the top-down one
		Prelaunched  bool              // kernels were launched before the clock started
		Compact      string            // names of kernels, "" for none
		Narrow       bool              // all graphs of this scale have 32-bit numbers of vertices
		Paths        *record.KernelRun // nil without shortest paths
		Measured     *record.Power     // of the first kernel that has figures, nil if none has
	}{r, lists.Distinct(e.Nodes), r.machines(), r.algorithms(), e.Engine == settings.CPU, e.Engine == settings.GPU,
		r.prelaunched(), kernelNames(r.compact()), r.Scale <= narrowScale, r.KernelRun(record.SSSP), r.measured()})
	if err != nil {
		panic(err) // impossible: a builder takes all text
	}
	return b.String()
}

// classes are the official problem classes by scale (specification V1.2; V2.0 leaves the scale free).
var classes = map[int]string{26: "toy", 29: "mini", 32: "small", 36: "medium", 39: "large", 42: "huge"}

func class(scale int) string {
	if name, official := classes[scale]; official {
		return "the problem class " + name
	}
	return "no problem class; the list leaves the scale free"
}

// scaleRemark returns a remark on a scale below all problem classes, "" for others.
func scaleRemark(scale int) string {
	least := slices.Min(slices.Collect(maps.Keys(classes)))
	if scale >= least {
		return ""
	}
	return fmt.Sprintf("scale %d is below every problem class of the list: the smallest, %s, has scale %d", scale,
		classes[least], least)
}

func known(text string) string {
	if text == "" || text == "unknown" {
		return toFill
	}
	return text
}

// machines returns the kinds of nodes of the run. Of a record without them it has the first node only.
func (r Run) machines() []record.Kind {
	e, names := r.Environment, lists.Distinct(r.Environment.Nodes)
	if len(e.Machines) > 0 {
		return e.Machines
	}
	first := machine.Facts{CPU: e.CPU, Threads: e.Cores, MemoryB: e.MemoryB}
	return []record.Kind{{Nodes: names[:min(len(names), 1)], Facts: first}}
}

// models counts the GPUs of a node by model.
func models(gpus []string) string {
	count := map[string]int{}
	for _, model := range gpus {
		count[model]++
	}
	return strings.Join(lists.Of(slices.Sorted(maps.Keys(count)), func(model string) string {
		return fmt.Sprintf("%d x %s", count[model], model)
	}), ", ")
}

// measured returns the power of the first kernel that has figures, nil if none has.
func (r Run) measured() *record.Power {
	has := func(k record.KernelRun) bool { return k.Power != nil && k.Power.Refused == "" }
	return cmp.Or(lists.Find(r.Kernels, has), &record.KernelRun{}).Power
}

// narrowScale is the largest scale of graphs whose vertices all have 32-bit numbers, on any number of ranks.
const narrowScale = 31

// compact returns the run's kernels whose structure renumbers vertices and has each edge once. Top-down BFS keeps
// labels and every edge tuple except self-loops.
func (r Run) compact() []record.KernelRun {
	return lists.Where(r.Kernels, func(k record.KernelRun) bool {
		return k.Kernel == record.SSSP || r.Environment.Engine != settings.TopDown
	})
}

// algorithms names the algorithms of the run's kernels.
func (r Run) algorithms() string {
	of := map[record.Kernel]string{
		record.BFS: "direction-optimizing BFS", record.SSSP: "SSSP by pushes below a threshold and pulls beyond it",
	}
	if r.Environment.Engine == settings.TopDown {
		of = map[record.Kernel]string{
			record.BFS: "level-synchronous top-down BFS", record.SSSP: "SSSP by Bellman-Ford rounds",
		}
	}
	return strings.Join(lists.Of(r.Kernels, func(k record.KernelRun) string { return of[k.Kernel] }), "; ")
}

// prelaunched reports whether kernels were launched before the clock started: if the policy and the device permit it.
func (r Run) prelaunched() bool {
	e := r.Environment
	return e.Engine == settings.GPU && e.Device != nil && e.Device.NoPrelaunch == "" && r.Config.Policy.Prelaunch != 0
}
