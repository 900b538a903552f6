package submission

import (
	"cmp"
	"fmt"

	"g500/record"
	"g500/sssp"
)

// pruning is what kernel 1 of shortest paths left out in a run.
func pruning(r *record.Run) sssp.Pruning { return cmp.Or(sssp.Pruning(r.Pruned()), sssp.PruneNone) }

// AddUnpruned adds the same run on an unpruned structure. It returns an error if this run is not pruned.
func (r *Run) AddUnpruned(unpruned Run) error {
	if pruning(r.Run) == sssp.PruneNone {
		return fmt.Errorf("--unpruned does not apply to the run in %s, which has no shortest paths on a pruned structure: "+
			"leave the flag out", r.Dir)
	}
	r.Unpruned = &unpruned
	return nil
}

// prunedFault asks for the results on a whole structure where those on a pruned one are submitted.
func prunedFault(r Run) string {
	if pruning(r.Run) == sssp.PruneNone {
		return ""
	}
	if r.Unpruned == nil {
		return fmt.Sprintf("shortest paths were searched on a structure that a %s's distances had pruned: name the folder "+
			"of the same run with --prune none too, by --unpruned DIR", r.Pruned())
	}
	return r.besideFault(*r.Unpruned)
}

// besideFault says why another run is not this one on a whole structure, "" if it is.
func (r Run) besideFault(whole Run) string {
	if !whole.HasSSSP() || pruning(whole.Run) != sssp.PruneNone {
		return fmt.Sprintf("the run in %s has no shortest paths on a whole structure", whole.Dir)
	}
	for _, rule := range whole.Check() {
		if rule.Fault != "" {
			return fmt.Sprintf("the run in %s does not meet the rule \"%s\": %s", whole.Dir, rule.Name, rule.Fault)
		}
	}
	a, b := r.Environment, whole.Environment
	for _, of := range []struct {
		name     string
		here, as any
	}{
		{"scale", r.Scale, whole.Scale},
		{"number of ranks", r.Ranks, whole.Ranks},
		{"program", a.Program, b.Program},
		{"engine", a.Engine, b.Engine},
		{"processor", a.CPU, b.CPU},
		{"device", a.Device, b.Device},
		{"number of threads a rank", a.Threads, b.Threads},
	} {
		if of.here != of.as {
			return fmt.Sprintf("the run in %s is another one: its %s is %v, and that of this run %v", whole.Dir, of.name, of.as,
				of.here)
		}
	}
	return ""
}
