package record

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What the rules ask of a submission (specification, sections "Generating the Edge List" and "Sampling 64 Search
// Keys").
const (
	officialKeys       = 64
	officialEdgeFactor = 16
	OfficialBits       = 48 // of a vertex number, at least
)

// WriteSummary writes a few lines for people: the figures that matter with unit and n, then what must be known
// beside them, then, of a run with a trace, where the time of a search goes. Every status can be written; the rate is
// there only if the run is valid.
func (r *Run) WriteSummary(w io.Writer) error {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-14s%s\n", label, fmt.Sprintf(format, args...))
	}
	searches := func(name string, list []Search) {
		st := r.statistics(list)
		if st.TEPS != nil {
			line("harmonic mean", "%s, standard error %s, n = %d %s",
				FormatTEPS(st.TEPS.HarmonicMean), FormatTEPS(st.TEPS.HarmonicStddev), len(list), name)
		}
		if s := st.Seconds; s != nil {
			line("search", "median %s, quartiles %s and %s, n = %d",
				FormatSeconds(s.Median), FormatSeconds(s.FirstQuartile), FormatSeconds(s.ThirdQuartile), len(list))
			slowest := slices.MaxFunc(list, func(a, b Search) int { return cmp.Compare(a.Seconds, b.Seconds) })
			line("slowest", "%s, search key %d (root %d)", FormatSeconds(slowest.Seconds), slowest.Key, slowest.Root)
		}
	}
	if r.HasBFS() {
		searches("searches", r.Searches)
	}
	if r.HasSSSP() {
		searches("searches of shortest paths", r.paths().Searches)
	}
	for i, text := range r.constructions() {
		label := "construction"
		if i > 0 {
			label = ""
		}
		line(label, "%s", text)
	}
	if by := r.Pruned(); by != "" {
		line("pruning", "kernel 1 of shortest paths left out edges by a %s's distances: publish a run without, too", by)
	}
	if bits := r.ParentBits(); bits > 0 {
		line("results", "parents of %d bits", bits)
	}
	for i, part := range r.Parts {
		line("", "kernel 1 of part %d, which was cut off after %d searches, %s", i+1, part.Searches, part.Construction())
	}
	power := func(label string, p *Power, st Statistics) {
		if p != nil && st.TEPS != nil {
			for _, text := range p.lines() {
				line(label, "%s", text)
			}
		}
	}
	power("power", r.Power, r.Statistics())
	power("power of sssp", r.paths().Power, r.PathStatistics())
	for _, slow := range r.Slow() {
		line("slow", "%s", slow)
	}
	for _, note := range r.notes() {
		line("note", "%s", note)
	}
	if table := r.traceTables(); table != "" {
		b.WriteString("\n" + table)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// notes are what can be seen in the run's own fields, then what it was told to say.
func (r *Run) notes() []string {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if 0 < r.Keys && r.Keys < officialKeys { // and as many for each kernel
		note("%d search keys: the rules ask for %d wherever the graph has them", r.Keys, officialKeys)
	}
	if r.EdgeFactor != officialEdgeFactor && r.Graph == nil {
		note("edge factor %d: a submission needs %d", r.EdgeFactor, officialEdgeFactor)
	}
	if bits := r.ParentBits(); 0 < bits && bits < OfficialBits {
		note("parents of %d bits: a submission needs %d at least", bits, OfficialBits)
	}
	if r.Resumed > 0 {
		note("%d of the %d searches come from an earlier run that was cut off, and from its own kernel 1: "+
			"a submission needs one for all", r.Resumed, r.Done())
	}
	return append(notes, r.Notes...)
}

// constructions are the times of kernel 1 for each kernel that follows it.
func (r *Run) constructions() (all []string) {
	if r.ConstructionSeconds > 0 {
		all = append(all, FormatSeconds(r.ConstructionSeconds))
	}
	if paths := r.paths(); paths.ConstructionSeconds > 0 {
		all = append(all, FormatSeconds(paths.ConstructionSeconds)+" for shortest paths")
	}
	return all
}
