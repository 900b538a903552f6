package submission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"g500/bench"
	"g500/record"
)

// toFill stands for what the program cannot know.
const toFill = "FILL IN"

// classes are the official problem classes by scale (specification V1.2; V2.0 leaves the scale free).
var classes = map[int]string{26: "toy", 29: "mini", 32: "small", 36: "medium", 39: "large", 42: "huge"}

// System describes the machine and the result, with a line for each thing that the list shows of an entry. What the
// program does not know is left to fill in.
func (r Run) System() string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, "\n# %s\n", name) }
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-24s%s\n", name+":", fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "# Description of the system for the Graph500 list. Complete every line that says %s, "+
		"and check the others.\n", toFill)

	section("Who and where")
	for _, name := range []string{"machine", "vendor", "installation site", "country", "year of installation",
		"application area", "contact"} {
		line(name, toFill)
	}

	section("Machine")
	e, nodes := r.Environment, hosts(r.Environment)
	line("nodes", "%d (%s)", len(nodes), strings.Join(nodes, ", "))
	for i, kind := range machines(e) {
		if n := len(machines(e)); n > 1 {
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
	if len(e.Machines) == 0 && len(nodes) > 1 {
		line("other nodes", "%s (only the first is described above)", toFill)
	}
	if e.Device != nil {
		line("accelerator of rank 0", "%s; one for each rank, unless rules.txt remarks that ranks share one", e.Device)
	}
	line("interconnect", "%s (topology, and which of the network devices carries the messages)", toFill)
	for _, given := range e.Queue {
		line("queue", "%s", given)
	}

	section("Program")
	line("implementation", "%s, a program of its own, not the official one", e.Program)
	line("algorithm", "%s, 1-D cyclic partition; engine %s", r.algorithms(), e.Engine)
	line("result of a search", "%d bits a parent, in label order", r.ResultBits)
	line("toolchain", "%s", e.Go)
	line("messages", "%s", messages(e))
	line("ranks", "%d, of %d threads", r.Ranks, e.Threads)
	line("command", "%s", strings.Join(e.Command, " "))

	section("How it was built and timed")
	for _, sentence := range r.howBuilt() {
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
	for _, field := range r.green() {
		line(field[0], "%s", field[1])
	}
	return b.String()
}

// result describes the result of one kernel.
func (r Run) result(line func(name, format string, args ...any), k record.KernelRun) {
	name, structure := k.Kernel.Abbreviation(), ""
	if k.Prune != "" {
		structure = fmt.Sprintf(", on a structure pruned by a %s's distances", k.Prune)
	}
	if teps := r.Statistics(k).TEPS; teps != nil {
		line(name+" GTEPS", "%.6g (harmonic mean)%s", teps.HarmonicMean/1e9, structure)
	}
	line(name+" construction time", "%.6g s", k.ConstructionSeconds)
	if p := k.Power; p != nil && p.Refused == "" {
		line(name+" power of parts", "%.4g W, %.4g MTEPS/W: %s", p.Watts, p.TEPSPerWatt/1e6, covered(p))
	}
	if k.Prune == "" || r.Unpruned == nil {
		return
	}
	if whole := r.Unpruned.KernelRun(k.Kernel); whole != nil {
		if teps := r.Unpruned.Statistics(*whole).TEPS; teps != nil {
			line("unpruned "+name+" GTEPS", "%.6g (harmonic mean)", teps.HarmonicMean/1e9)
		}
		line("unpruned construction", "%.6g s", whole.ConstructionSeconds)
	}
}

// covered is what the meters of a run read.
func covered(p *record.Power) string {
	var parts []string
	for _, m := range p.Meters {
		parts = append(parts, m.Covers)
	}
	return strings.Join(parts, ", ")
}

func known(text string) string {
	if text == "" || text == "unknown" {
		return toFill
	}
	return text
}

// machines are the kinds of hosts that the run knows of. Older versions of the program describe the first host alone.
func machines(e record.Environment) []record.Kind {
	nodes := hosts(e)
	if len(e.Machines) > 0 {
		return e.Machines
	}
	first := record.Machine{CPU: e.CPU, Threads: e.Cores, MemoryB: e.MemoryB}
	return []record.Kind{{Nodes: nodes[:min(len(nodes), 1)], Machine: first}}
}

func processor(k record.Kind) string {
	if k.Sockets == 0 {
		return known(k.CPU)
	}
	return fmt.Sprintf("%d x %s, %d physical cores in all, on each node", k.Sockets, known(k.CPU), k.Cores)
}

// onAll tells what one node has, and what all of its kind have together.
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
	var parts []string
	models := slices.Clone(k.GPUs)
	slices.Sort(models)
	for len(models) > 0 {
		n := 1
		for n < len(models) && models[n] == models[0] {
			n++
		}
		parts = append(parts, fmt.Sprintf("%d x %s", n, models[0]))
		models = models[n:]
	}
	use := ""
	if !used {
		use = "; not used"
	}
	return fmt.Sprintf("%s on each node, driver %s%s", strings.Join(parts, ", "), known(k.Driver), use)
}

func messages(e record.Environment) string {
	if e.Transport != "mpi" {
		return "between goroutines of one process"
	}
	return e.MPI
}

func class(scale int) string {
	if name, official := classes[scale]; official {
		return "the problem class " + name
	}
	return "no problem class; the list leaves the scale free"
}

// scaleRemark is a remark on a scale below all problem classes, "" for others.
func scaleRemark(scale int) string {
	least := slices.Min(slices.Collect(maps.Keys(classes)))
	if scale >= least {
		return ""
	}
	return fmt.Sprintf("scale %d is below every problem class of the list: the smallest, %s, has scale %d", scale,
		classes[least], least)
}
