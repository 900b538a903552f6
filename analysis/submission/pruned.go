// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"fmt"
	"slices"

	"g500/record"
)

// prunedKernels returns the kernels whose structure kernel 1 has pruned.
func (r Run) prunedKernels() []record.KernelRun {
	return slices.DeleteFunc(slices.Clone(r.Kernels), func(k record.KernelRun) bool { return k.Prune == "" })
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
