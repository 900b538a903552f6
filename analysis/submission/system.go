// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"g500/bench"
	"g500/internal/lists"
	"g500/internal/machine"
	"g500/record"
	"g500/settings"
)

// toFill marks values that the program cannot know.
const toFill = "FILL IN"

// classes are the official problem classes by scale (specification V1.2; V2.0 leaves the scale free).
var classes = map[int]string{26: "toy", 29: "mini", 32: "small", 36: "medium", 39: "large", 42: "huge"}

// System describes the machine and the result, with one line per property that the list shows of an entry. Values that
// the program does not know are left to fill in.
func (r Run) System() string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, "\n# %s\n", name) }
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-24s%s\n", name+":", fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "# Description of the system for the Graph500 list. Complete every line with %s, "+
		"and check the others.\n", toFill)

	section("Who and where")
	for _, name := range []string{"machine", "vendor", "installation site", "country", "year of installation",
		"application area", "contact"} {
		line(name, toFill)
	}

	section("Machine")
	r.machine(line)

	section("Program")
	e := r.Environment
	line("implementation", "%s, a program of its own, not the official one", e.Program)
	line("algorithm", "%s, 1-D cyclic partition; engine %s", r.algorithms(), e.Engine)
	line("result of a search", "%d bits a parent, by original label", r.ResultBits)
	line("toolchain", "%s", e.Go)
	line("messages", "%s", cmp.Or(e.MPI, "between goroutines of one process"))
	line("ranks", "%d, of %d threads", r.Ranks, e.Threads)
	line("command", "%s", strings.Join(e.Command, " "))

	section("How it was built and timed")
	var built sentences
	r.howTimed(&built)
	r.howStructured(&built)
	for _, sentence := range built {
		fmt.Fprintln(&b, sentence)
	}

	section("Result")
	line("date", "%s", e.Started)
	line("scale", "%d (%s)", r.Scale, class(r.Scale))
	line("edge factor", "%d", r.EdgeFactor)
	line("search keys", "%d", r.Kernels[0].Keys)
	for _, k := range r.Kernels {
		r.result(line, k)
	}

	section("Green Graph500, for an entry with power")
	r.green(line)
	return b.String()
}

// machine describes the nodes, their devices and networks, and the queue.
func (r Run) machine(line func(name, format string, args ...any)) {
	e, names, kinds := r.Environment, lists.Distinct(r.Environment.Nodes), r.machines()
	line("nodes", "%d (%s)", len(names), strings.Join(names, ", "))
	for i, kind := range kinds {
		if n := len(kinds); n > 1 {
			line(fmt.Sprintf("kind %d of %d", i+1, n), "%d of the nodes (%s)", len(kind.Nodes), strings.Join(kind.Nodes, ", "))
		}
		line("processor", "%s", processor(kind))
		line("logical cores", "%s", onAll(kind, fmt.Sprint(kind.Threads), fmt.Sprint(kind.Threads*len(kind.Nodes))))
		line("memory", "%s", onAll(kind, bench.Bytes(kind.MemoryB), bench.Bytes(kind.MemoryB*int64(len(kind.Nodes)))))
		line("accelerators", "%s", accelerators(kind, e.Device != nil))
		for _, device := range kind.Networks {
			line("network device", "%s", device)
		}
		line("operating system", "%s; %s, kernel %s", e.System, known(kind.Distro), known(kind.Kernel))
	}
	if len(e.Machines) == 0 && len(names) > 1 {
		line("other nodes", "%s (only the first is described above)", toFill)
	}
	if e.Device != nil {
		line("accelerator of rank 0", "%s; one for each rank, unless rules.txt remarks that ranks share one", e.Device)
	}
	line("interconnect", "%s (topology, and which of the network devices carries the messages)", toFill)
	for _, given := range e.Queue {
		line("queue", "%s", given)
	}
}

// result describes the result of one kernel.
func (r Run) result(line func(name, format string, args ...any), k record.KernelRun) {
	name, structure := k.Kernel.Abbreviation(), ""
	if k.Prune != "" {
		structure = fmt.Sprintf(", on a structure pruned by the distances from a %s", k.Prune)
	}
	if teps := r.Statistics(k).TEPS; teps != nil {
		line(name+" GTEPS", "%.6g (harmonic mean)%s", teps.HarmonicMean/1e9, structure)
	}
	line(name+" construction time", "%.6g s", k.ConstructionSeconds)
	switch p := k.Power; {
	case p == nil:
	case p.Refused != "":
		line(name+" power of parts", "no figure: %s", p.Refused)
	default:
		line(name+" power of parts", "%.4g W, %.4g MTEPS/W: %s", p.Watts, p.TEPSPerWatt/1e6, covered(p))
	}
	if k.Prune == "" || r.Unpruned == nil {
		return
	}
	if unpruned := r.Unpruned.KernelRun(k.Kernel); unpruned != nil {
		if teps := r.Unpruned.Statistics(*unpruned).TEPS; teps != nil {
			line("unpruned "+name+" GTEPS", "%.6g (harmonic mean)", teps.HarmonicMean/1e9)
		}
		line("unpruned construction", "%.6g s", unpruned.ConstructionSeconds)
	}
}

// covered names the components that the meters of a run cover.
func covered(p *record.Power) string {
	return strings.Join(lists.Of(p.Meters, func(m record.Meter) string { return m.Covers }), ", ")
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

func processor(k record.Kind) string {
	if k.Sockets == 0 {
		return known(k.CPU)
	}
	return fmt.Sprintf("%d x %s, %d physical cores in all, on each node", k.Sockets, known(k.CPU), k.Cores)
}

// onAll formats the value of one node and the sum over all nodes of its kind.
func onAll(k record.Kind, one, all string) string {
	if len(k.Nodes) == 1 {
		return one
	}
	return fmt.Sprintf("%s on each node, %s on all %d", one, all, len(k.Nodes))
}

// accelerators counts the GPUs of a node by model.
func accelerators(k record.Kind, used bool) string {
	switch {
	case len(k.GPUs) == 0 && used:
		return toFill + " (how many on each node)"
	case len(k.GPUs) == 0:
		return "none seen"
	}
	count := map[string]int{}
	for _, model := range k.GPUs {
		count[model]++
	}
	parts := lists.Of(slices.Sorted(maps.Keys(count)), func(model string) string {
		return fmt.Sprintf("%d x %s", count[model], model)
	})
	use := ""
	if !used {
		use = "; not used"
	}
	return fmt.Sprintf("%s on each node, driver %s%s", strings.Join(parts, ", "), known(k.Driver), use)
}

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

// green describes an entry of the Green Graph500 in addition to the result. The list counts the entire system, and the
// program's meters only parts of it.
func (r Run) green(line func(name, format string, args ...any)) {
	measured, idle := toFill, toFill+" (yes or no)"
	if p := r.measured(); p != nil {
		measured = fmt.Sprintf("%s, by this program's meters; %s for the power above", covered(p), toFill)
		idle = "yes for these components: no idle power is subtracted; " + toFill + " for the power above"
	}
	line("power", "%s (of the entire system, idle parts included), or leave out", toFill)
	line("component measured", "%s", measured)
	line("idle included", "%s", idle)
	line("frequency scaling", "%s", r.frequencyScaling())
}

// measured returns the power of the first kernel that has figures, nil if none has.
func (r Run) measured() *record.Power {
	for _, k := range r.Kernels {
		if p := k.Power; p != nil && p.Refused == "" {
			return p
		}
	}
	return nil
}

// frequencyScaling names the governors of the processors' clocks. The clocks of accelerators are unknown.
func (r Run) frequencyScaling() string {
	var all []string
	kinds := r.machines()
	for _, kind := range kinds {
		text := known(kind.Scaling)
		if len(kinds) > 1 {
			text += " on " + strings.Join(kind.Nodes, ", ")
		}
		all = append(all, text)
	}
	text := "processors " + strings.Join(all, ", ")
	if r.Environment.Device != nil {
		text += "; accelerators " + toFill
	}
	return text
}

// narrowScale is the largest scale of graphs whose vertices all have 32-bit numbers, on any number of ranks.
const narrowScale = 31

// sentences are the sentences of a paragraph that apply to a run.
type sentences []string

func (s *sentences) say(applies bool, format string, args ...any) {
	if applies {
		*s = append(*s, fmt.Sprintf(format, args...))
	}
}

// howTimed adds the sentences on the clock, and on work before it starts.
func (r Run) howTimed(all *sentences) {
	onGPU, before := r.Environment.Engine == settings.GPU, r.prelaunched()
	all.say(true, "The time of a search runs from a barrier of all ranks, before the root is given, to the complete "+
		"result of the slowest rank.")
	all.say(true, "An untimed warm-up search from the first key precedes the searches of each kernel, as in the "+
		"reference code (docs/adr/0004).")
	all.say(onGPU, "The result then is in the memory of the GPUs; a copy to the host is not timed.")
	all.say(!onGPU, "The result then is in host memory.")
	all.say(r.Environment.Engine == settings.CPU, "The threads of a search are woken before the clock starts, and poll "+
		"for its first loop. Waking them in the clock takes about 1 ms on 32 cores (docs/adr/0043).")
	all.say(before, "The kernel of a search is launched before the clock starts and waits for its root. A launch in the "+
		"clock takes 4 to 5 us per search (docs/adr/0004).")
	all.say(before && r.KernelRun(record.SSSP) != nil && r.Ranks > 1, "For SSSP this holds if all GPUs write to each "+
		"other's memory; otherwise its kernels are launched in the clock.")
}

// howStructured adds the sentences on the structures that kernel 1 builds.
func (r Run) howStructured(all *sentences) {
	compact := r.compact()
	some, names := len(compact) > 0, kernelNames(compact)
	all.say(some && r.Scale <= narrowScale,
		"The structures of %s number vertices in 32 bits; results have the graph's labels.", names)
	all.say(some && r.Scale > narrowScale, "The structures of %s number vertices in 32 bits if fewer than 2^32 vertices "+
		"have an edge, and in more otherwise (docs/adr/0026); results have the graph's labels.", names)
	all.say(some, "Kernel 1 of %s numbers vertices by falling degree, within its time (docs/adr/0002).", names)
	all.say(some, "Kernel 1 of %s drops self-loops and duplicate edges. TEPS count duplicate edges, and no self-loops.",
		names)
	paths := r.KernelRun(record.SSSP)
	all.say(paths != nil && r.Environment.Engine == settings.CPU, "Kernel 1 of SSSP pushes once from the vertex with the "+
		"most edges, within its time, to find how far the first push of a search reaches (docs/adr/0038).")
	two, shared := len(r.Kernels) > 1, paths != nil && paths.ConstructionIncludesEarlier
	all.say(two && !shared, "BFS and SSSP have one structure each. A separate kernel 1 built each from the same edge "+
		"tuples. In the output block construction_time is the sum of both (docs/adr/0018).")
	all.say(two && shared, "BFS and SSSP have one structure each. Kernel 1 of SSSP uses the degree order of kernel 1 of "+
		"BFS: its time includes both, and is construction_time in the output block (docs/adr/0048).")
	all.say(r.Pruned() != "", "Kernel 1 of SSSP left out edges that are on no shortest path from any root, by the "+
		"distances from a hub (docs/adr/0019). TEPS count these edges too.")
}

// compact returns the run's kernels whose structure renumbers vertices and has each edge once. Top-down BFS keeps
// labels and every edge tuple except self-loops.
func (r Run) compact() (kernels []record.KernelRun) {
	for _, k := range r.Kernels {
		if k.Kernel == record.SSSP || r.Environment.Engine != settings.TopDown {
			kernels = append(kernels, k)
		}
	}
	return kernels
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
