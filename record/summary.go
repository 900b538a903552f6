// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	_ "embed" // summary.gotmpl
	"fmt"
	"io"
	"slices"
	"text/template"

	"g500/internal/output"
	"g500/settings"
)

// OfficialBits are the bits of a vertex number of a submission, at least (specification, "Generating the Edge List").
const OfficialBits = 48

//go:embed summary.gotmpl
var summaryText string

// WriteSummary writes a few lines for people about a run of any status: the most important figures with unit and n,
// notes, and with a trace the time by step. Only valid runs have a rate.
func (r *Run) WriteSummary(w io.Writer) error {
	functions := template.FuncMap{
		"seconds": FormatSeconds, "teps": FormatTEPS, "table": KernelRun.traceTable,
		"watts":   func(x float64) string { return inUnit(x, "W", noPrefix-1, len(prefixes)-1) },
		"joules":  func(x float64) string { return inUnit(x, "J", 0, len(prefixes)-1) },
		"percent": func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) },
		"next":    func(i int) int { return i + 1 },
		"slowest": func(all []Search) Search {
			return slices.MaxFunc(all, func(a, b Search) int { return cmp.Compare(a.Seconds, b.Seconds) })
		},
	}
	return output.FillIn(w, summaryText, functions, struct {
		*Run
		Kernels  []KernelRun
		AllNotes []string
	}{r, r.settled().Kernels, r.notes()})
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
