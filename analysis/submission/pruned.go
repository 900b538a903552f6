// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"fmt"
	"slices"
	"strings"

	"g500/internal/lists"
	"g500/record"
)

// prunedKernels returns the kernels whose structure kernel 1 has pruned.
func (r Run) prunedKernels() []record.KernelRun {
	return lists.Where(r.Kernels, func(k record.KernelRun) bool { return k.Prune != "" })
}

// AddUnpruned adds the same run on an unpruned structure. It returns an error if this run is not pruned.
func (r *Run) AddUnpruned(unpruned Run) error {
	if r.Pruned() == "" {
		return fmt.Errorf("--unpruned does not apply to the run in %s, which has no shortest paths on a pruned structure: "+
			"leave the flag out", r.Dir)
	}
	r.Unpruned = &unpruned
	return nil
}

// prunedFault requires results on an unpruned structure in addition to results on a pruned one.
func prunedFault(r Run) string {
	for _, k := range r.prunedKernels() {
		if r.Unpruned == nil {
			return fmt.Sprintf("%s were searched on a structure pruned by the distances from a %s: name the folder "+
				"of the same run with --prune none by --unpruned DIR", k.Kernel.Title(), k.Prune)
		}
		if fault := r.unprunedFault(*r.Unpruned, k.Kernel); fault != "" {
			return fault
		}
	}
	return ""
}

// unprunedFault returns the reason why another run is not this one on an unpruned structure, "" if it is.
func (r Run) unprunedFault(unpruned Run, kernel record.Kernel) string {
	if k := unpruned.KernelRun(kernel); k == nil || k.Prune != "" {
		return fmt.Sprintf("the run in %s has no %s on an unpruned structure", unpruned.Dir, kernel.Title())
	}
	if broken := Broken(unpruned.Check()); len(broken) > 0 {
		return fmt.Sprintf("the run in %s does not meet the rule \"%s\": %s", unpruned.Dir, broken[0].Name, broken[0].Fault)
	}
	other := r.Environment.Difference(unpruned.Environment)
	switch {
	case r.Scale != unpruned.Scale:
		other = &record.Difference{Name: "scale", Was: fmt.Sprint(r.Scale), Is: fmt.Sprint(unpruned.Scale)}
	case r.Ranks != unpruned.Ranks:
		other = &record.Difference{Name: "number of ranks", Was: fmt.Sprint(r.Ranks), Is: fmt.Sprint(unpruned.Ranks)}
	case other == nil:
		return ""
	}
	return fmt.Sprintf("the run in %s is another one: its %s is %s, and this run's is %s", unpruned.Dir, other.Name,
		other.Is, other.Was)
}

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
			i+1, part.Searches, part.Environment.Started, strings.Join(lists.Distinct(part.Environment.Nodes), ", "),
			part.Construction())
	}
	for _, k := range r.prunedKernels() {
		if r.Unpruned == nil {
			continue
		}
		if unpruned := r.Unpruned.KernelRun(k.Kernel); unpruned != nil {
			remark("%s is on a structure that kernel 1 pruned by the distances from a %s: %s; without: %s",
				k.Kernel.Abbreviation(), k.Prune, rateOf(k), rateOf(*unpruned))
		}
	}
	if r.Config.Search.Trace {
		remark("the run kept a trace (--trace), which makes searches a little slower")
	}
	return slices.Concat(remarks, r.Notes)
}

// rateOf returns the rate of a kernel and the time of its construction.
func rateOf(k record.KernelRun) string {
	rate := "no rate"
	if teps := k.Statistics.TEPS; teps != nil {
		rate = record.FormatTEPS(teps.HarmonicMean)
	}
	return rate + ", construction " + record.FormatSeconds(k.ConstructionSeconds)
}
