package record

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// names are the words of one form of the output block.
type names struct {
	bfs, sssp           string // before times, rates and validation times
	bfsEdges, ssspEdges string // before edge counts
	harmonicMean        string // with what stands between key and value
	everyKernel         bool   // construction times by kernel, and rates of kernels that the run does not have
}

// The official program writes blanks in its keys and an exclamation mark beside the harmonic mean; the
// specification (section "Output") asks for underscores.
var (
	officialNames = names{"bfs  ", "sssp ", "", "", "harmonic_mean_TEPS:     !", false}
	specNames     = names{"bfs_", "sssp_", "bfs_", "sssp_", "harmonic_mean_TEPS:", true}
)

// notValidated is what the official program's statistics make of 64 skipped validations.
var notValidated = Summary{
	NotValidated, NotValidated, NotValidated, NotValidated, NotValidated, NotValidated, 0,
}

// WriteOfficial writes the output block of the official program, key for key and space for space (src/main.c, at its
// end), with the lines of the kernels that the run has. Both kernels share one group of edge counts there. A run that
// is invalid or incomplete is refused: nothing is written and the error gives the reason. The block of an unvalidated
// run has no edge counts and no TEPS. That of another graph than the official one begins with lines that say so, in
// place of scale and edge factor. That of shortest paths on a pruned structure ends with a line that says so.
func (r *Run) WriteOfficial(w io.Writer) error { return r.writeBlock(w, officialNames) }

// WriteSpec writes the same figures in the same order under the names of the specification, which allows fields beyond
// the required ones. In addition the block has the construction time of each kernel and, if it has rates, rates of
// a kernel that the run does not have, which are 0. It refuses the runs that WriteOfficial refuses.
func (r *Run) WriteSpec(w io.Writer) error { return r.writeBlock(w, specNames) }

func (r *Run) writeBlock(w io.Writer, n names) error {
	if status, _ := r.judge(); status == Invalid || status == Incomplete {
		return fmt.Errorf("record: no result block is written, the run is %s", r.Verdict())
	}
	groups := r.groups(n)
	var b block
	b.graph(r)
	b.line("NBFS:", strconv.Itoa(r.parts()[0].keys))
	b.line("graph_generation:", cFloat(r.GenerationSeconds, 6))
	b.line("num_mpi_processes:", strconv.Itoa(r.Ranks))
	b.line("construction_time:", cFloat(r.AllConstructionSeconds(), 6))
	for _, g := range groups {
		if n.everyKernel {
			b.line(g.prefix+"construction_time:", cFloat(g.construction, 6))
		}
	}
	for _, g := range groups {
		b.summary(g.prefix, "time", *g.Seconds, 6)
	}
	for i, g := range groups {
		if g.TEPS != nil && (i == 0 || g.edges != groups[0].edges) {
			b.summary(g.edges, "nedge", *g.Edges, 11)
		}
	}
	for _, g := range withRates(r, groups, n) {
		b.rates(g.prefix, n, *g.TEPS)
	}
	for _, g := range groups {
		if g.ValidateSeconds == nil {
			g.ValidateSeconds = &notValidated
		}
		b.summary(g.prefix, "validate", *g.ValidateSeconds, 6)
	}
	if by := r.Pruned(); by != "" {
		b.line(n.sssp+"prune:", by)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// group is what the block has of one kernel.
type group struct {
	prefix, edges string
	construction  float64 // seconds
	Statistics
}

func (r *Run) groups(n names) []group {
	var all []group
	if r.HasBFS() {
		all = append(all, group{n.bfs, n.bfsEdges, r.ConstructionSeconds, r.Statistics()})
	}
	if r.HasSSSP() {
		all = append(all, group{n.sssp, n.ssspEdges, r.paths().ConstructionSeconds, r.PathStatistics()})
	}
	return all
}

// withRates are the groups that have rates. If the block names every kernel, and has a rate of one, the kernel that the
// run does not have is in its place with rates of 0, as the specification allows.
func withRates(r *Run, groups []group, n names) []group {
	all := slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.TEPS == nil })
	if len(all) == 0 || !n.everyKernel {
		return all
	}
	if !r.HasBFS() {
		all = slices.Insert(all, 0, group{prefix: n.bfs, Statistics: Statistics{TEPS: &Rates{}}})
	}
	if !r.HasSSSP() {
		all = append(all, group{prefix: n.sssp, Statistics: Statistics{TEPS: &Rates{}}})
	}
	return all
}

// block is the output block as far as it is written.
type block struct{ strings.Builder }

// line pads the key, with its colon, to column 32.
func (b *block) line(key, value string) { fmt.Fprintf(b, "%-32s%s\n", key, value) }

// graph names the graph. One that is not the official one has no scale and no edge factor, and is called what it is.
func (b *block) graph(r *Run) {
	if r.Graph == nil {
		b.line("SCALE:", strconv.Itoa(r.Scale))
		b.line("edgefactor:", strconv.FormatInt(r.EdgeFactor, 10))
		return
	}
	b.line("no Graph500 result:", "not the official graph")
	b.line("graph:", r.Graph.Spec)
	b.line("vertices:", strconv.FormatInt(r.Graph.Vertices, 10))
	b.line("edges:", strconv.FormatInt(r.Graph.Edges, 10))
}

// summary writes the seven lines of one quantity with so many significant digits.
func (b *block) summary(prefix, quantity string, s Summary, digits int) {
	b.quartiles(prefix, quantity, [5]float64{s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max}, digits)
	b.line(prefix+"mean_"+quantity+":", cFloat(s.Mean, digits))
	b.line(prefix+"stddev_"+quantity+":", cFloat(s.Stddev, digits))
}

func (b *block) rates(prefix string, n names, t Rates) {
	b.quartiles(prefix, "TEPS", [5]float64{t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile, t.Max}, 6)
	b.line(prefix+n.harmonicMean, cFloat(t.HarmonicMean, 6))
	b.line(prefix+"harmonic_stddev_TEPS:", cFloat(t.HarmonicStddev, 6))
}

func (b *block) quartiles(prefix, quantity string, values [5]float64, digits int) {
	for i, name := range [5]string{"min", "firstquartile", "median", "thirdquartile", "max"} {
		b.line(prefix+name+"_"+quantity+":", cFloat(values[i], digits))
	}
}

// cFloat is %.<digits>g of C. strconv agrees with it where fmt does not: at least two digits of exponent, no
// trailing zeros, the exponent form from 10^digits on. Only infinity is spelt otherwise.
func cFloat(x float64, digits int) string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', digits, 64), "+"))
}
