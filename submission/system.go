package submission

import (
	"fmt"
	"strings"

	"g500/bench"
	"g500/report"
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
	e, nodes := r.Environment, len(hosts(r.Environment))
	line("nodes", "%d (%s)", nodes, strings.Join(hosts(e), ", "))
	line("processor", "%s", known(e.CPU))
	line("logical cores", "%d on the first node, %d on all if they are alike", e.Cores, e.Cores*nodes)
	line("memory", "%s on the first node, %s on all if they are alike",
		bench.Bytes(e.MemoryB), bench.Bytes(e.MemoryB*int64(nodes)))
	line("accelerators", "%s", accelerators(r))
	line("interconnect", toFill)
	line("operating system", "%s; %s (distribution, kernel)", e.System, toFill)

	section("Program")
	line("implementation", "%s, a program of its own, not the official one", e.Program)
	line("algorithm", "direction-optimizing BFS, 1-D cyclic partition; engine %s", e.Engine)
	line("toolchain", "%s", e.Go)
	line("messages", "%s", messages(e))
	line("ranks", "%d, of %d threads", r.Ranks, e.Threads)
	line("command", "%s", strings.Join(e.Command, " "))

	section("Result")
	line("date", "%s", e.Started)
	line("scale", "%d (%s)", r.Scale, class(r.Scale))
	line("edge factor", "%d", r.EdgeFactor)
	line("search keys", "%d", r.Keys)
	if teps := r.Statistics().TEPS; teps != nil {
		line("BFS GTEPS", "%.6g (harmonic mean)", teps.HarmonicMean/1e9)
	}
	line("construction time", "%.6g s", r.ConstructionSeconds)
	line("power", "%s (of the whole system, idle parts included), or leave out", toFill)
	if p := r.Power; p != nil && p.Refused == "" {
		line("power of some parts", "%.4g W, %.4g MTEPS/W: %s", p.Watts, p.TEPSPerWatt/1e6, covered(p))
	}
	return b.String()
}

// covered is what the meters of a run read.
func covered(p *report.Power) string {
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

func accelerators(r Run) string {
	if r.Environment.Device == "" {
		return "none used"
	}
	return fmt.Sprintf("one for each rank, unless rules.txt remarks that ranks share one; of rank 0: %s",
		r.Environment.Device)
}

func messages(e report.Environment) string {
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
