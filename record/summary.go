// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"g500/settings"
)

// OfficialBits are the bits of a vertex number of a submission, at least (specification, "Generating the Edge List").
const OfficialBits = 48

// summaryText builds the summary.
type summaryText struct{ strings.Builder }

func (b *summaryText) line(label, format string, args ...any) {
	fmt.Fprintf(b, "%-14s%s\n", label, fmt.Sprintf(format, args...))
}

// WriteSummary writes a few lines for people about a run of any status: the most important figures with unit and n,
// notes, and with a trace the time by step. Only valid runs have a rate.
func (r *Run) WriteSummary(w io.Writer) error {
	var b summaryText
	for _, k := range r.Kernels {
		b.searches(k, r.Statistics(k))
	}
	b.constructions(r)
	if bits := r.ResultBits; bits > 0 {
		b.line("results", "%d-bit parents", bits)
	}
	for i, part := range r.Parts {
		b.line("", "kernel 1 of part %d, which was cut off after %d searches, %s", i+1, part.Searches, part.Construction())
	}
	for _, k := range r.Kernels {
		b.power(k, r.Statistics(k))
	}
	for _, slow := range r.Slow() {
		b.line("slow", "%s", slow)
	}
	for _, note := range r.notes() {
		b.line("note", "%s", note)
	}
	for _, k := range r.Kernels {
		if table := k.traceTable(); table != "" {
			b.WriteString("\n" + table)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// searches writes the rate and the times of a kernel's searches.
func (b *summaryText) searches(k KernelRun, st Statistics) {
	if st.TEPS != nil {
		b.line("harmonic mean", "%s, standard error %s, n = %d searches%s",
			FormatTEPS(st.TEPS.HarmonicMean), FormatTEPS(st.TEPS.HarmonicStddev), len(k.Searches), k.Kernel.Of())
	}
	if s := st.Seconds; s != nil {
		b.line("search", "median %s, quartiles %s and %s, n = %d",
			FormatSeconds(s.Median), FormatSeconds(s.FirstQuartile), FormatSeconds(s.ThirdQuartile), len(k.Searches))
		slowest := slices.MaxFunc(k.Searches, func(a, b Search) int { return cmp.Compare(a.Seconds, b.Seconds) })
		b.line("slowest", "%s, search key %d (root %d)", FormatSeconds(slowest.Seconds), slowest.Key, slowest.Root)
	}
}

// constructions writes the time of kernel 1 for each kernel, and the pruning.
func (b *summaryText) constructions(r *Run) {
	label := "construction"
	for _, k := range r.Kernels {
		if k.ConstructionSeconds > 0 {
			b.line(label, "%s%s", FormatSeconds(k.ConstructionSeconds), k.Kernel.after(" for "))
			label = ""
		}
	}
	if by := r.Pruned(); by != "" {
		b.line("pruning", "kernel 1 of shortest paths left out edges by a %s's distances: publish a run without, too", by)
	}
}

// power writes the power of a kernel's searches, if it was measured and they have a rate.
func (b *summaryText) power(k KernelRun, st Statistics) {
	if k.Power == nil || st.TEPS == nil {
		return
	}
	label := "power"
	if k.Kernel != BFS {
		label += " of " + string(k.Kernel)
	}
	for _, text := range k.Power.lines() {
		b.line(label, "%s", text)
	}
}

// notes returns the run's deviations from the rules of submissions, then its own notes.
func (r *Run) notes() []string {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	few := func(k KernelRun) bool { return 0 < k.Keys && k.Keys < settings.OfficialKeys }
	if i := slices.IndexFunc(r.Kernels, few); i >= 0 {
		note("%d search keys: the rules require %d if the graph has them", r.Kernels[i].Keys, settings.OfficialKeys)
	}
	if r.EdgeFactor != settings.OfficialEdgeFactor && r.Graph == nil {
		note("edge factor %d: a submission needs %d", r.EdgeFactor, settings.OfficialEdgeFactor)
	}
	if bits := r.ResultBits; 0 < bits && bits < OfficialBits {
		note("%d-bit parents: a submission needs at least %d bits", bits, OfficialBits)
	}
	if r.Resumed > 0 {
		note("%d of the %d searches come from an earlier run that was cut off, with another kernel 1: "+
			"a submission needs one for all", r.Resumed, r.Done())
	}
	return append(notes, r.Notes...)
}
