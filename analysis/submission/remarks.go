// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"fmt"
	"slices"
	"strings"

	"g500/record"
)

// Remarks returns facts that break no rule, and that readers and senders of the submission should know.
func (r Run) Remarks() []string {
	remarks := []string{"this is a submission of " + kernelNames(r.Kernels)}
	if len(r.Kernels) == 1 {
		remarks[0] += " alone: run --kernel both has BFS and SSSP"
	}
	remark := func(format string, args ...any) { remarks = append(remarks, fmt.Sprintf(format, args...)) }
	if text := scaleRemark(r.Scale); text != "" {
		remark("%s", text)
	}
	if program := r.Environment.Program; !program.Reproducible() {
		remark("%s: this program cannot be built again; build it with make from a commit without changes", program)
	}
	for i, part := range r.Parts {
		remark("part %d of the run, up to search %d, began %s on %s, and its kernel 1 %s",
			i+1, part.Searches, part.Environment.Started, strings.Join(nodes(part.Environment), ", "), part.Construction())
	}
	for _, k := range r.prunedKernels() {
		if r.Unpruned == nil {
			continue
		}
		if unpruned := r.Unpruned.KernelRun(k.Kernel); unpruned != nil {
			remark("%s is on a structure that kernel 1 pruned by the distances from a %s: %s; without: %s",
				k.Kernel.Abbreviation(), k.Prune, rateOf(r.Run, k), rateOf(r.Unpruned.Run, *unpruned))
		}
	}
	if r.Config.Search.Trace {
		remark("the run kept a trace (--trace), which makes searches a little slower")
	}
	return slices.Concat(remarks, r.Notes)
}

// rateOf returns the rate of a kernel of a run and the time of its construction.
func rateOf(r *record.Run, k record.KernelRun) string {
	rate := "no rate"
	if teps := r.Statistics(k).TEPS; teps != nil {
		rate = record.FormatTEPS(teps.HarmonicMean)
	}
	return rate + ", construction " + record.FormatSeconds(k.ConstructionSeconds)
}
