package submission

import (
	"fmt"
	"slices"

	"g500/bench"
	"g500/report"
)

func completeFault(r Run) string {
	if len(r.Searches) < r.Keys || r.Keys == 0 {
		return fmt.Sprintf("%d of %d searches are done", len(r.Searches), r.Keys)
	}
	return ""
}

func validatedFault(r Run) string {
	if !r.Config.Search.Validate {
		return "the run went without validation (--validate=false)"
	}
	for _, s := range r.Searches {
		if s.ValidateSeconds < 0 {
			return fmt.Sprintf("the tree of search key %d was not validated", s.Key)
		}
	}
	return ""
}

// verdictFault judges the run anew, whatever the file says of it.
func verdictFault(r Run) string {
	if verdict := r.Verdict(); verdict != string(report.Valid) {
		return verdict
	}
	return ""
}

func timedFault(r Run) string {
	switch {
	case !(r.GenerationSeconds > 0):
		return fmt.Sprintf("graph generation took %g s", r.GenerationSeconds)
	case !(r.ConstructionSeconds > 0):
		return fmt.Sprintf("kernel 1 took %g s", r.ConstructionSeconds)
	}
	return ""
}

func syncFault(r Run) string {
	if r.Config.Search.Sync {
		return "every kernel was waited for and timed by itself"
	}
	return ""
}

// partsFault compares what made the parts of a resumed run. Hosts may have other names: a queue gives the next job
// others of the same kind.
func partsFault(r Run) string {
	if r.Resumed == 0 {
		return ""
	}
	if len(r.Parts) == 0 {
		return fmt.Sprintf("%d searches come from an earlier run, and what made them is not known", r.Resumed)
	}
	now := described(r.Environment)
	for i, part := range r.Parts {
		for j, was := range described(part.Environment) {
			if was.value != now[j].value {
				return fmt.Sprintf("part %d of the run had the %s %q, the last part %q", i+1, was.name, was.value, now[j].value)
			}
		}
	}
	return ""
}

// fact is one thing that is known of an environment.
type fact struct{ name, value string }

// described is what must be alike in all parts of a run.
func described(e report.Environment) []fact {
	return []fact{
		{"program", e.Program}, {"toolchain", e.Go}, {"engine", e.Engine}, {"transport", e.Transport}, {"MPI", e.MPI},
		{"device", e.Device}, {"processor", e.CPU}, {"system", e.System},
		{"number of cores", fmt.Sprint(e.Cores)}, {"number of threads per rank", fmt.Sprint(e.Threads)},
		{"number of hosts", fmt.Sprint(len(hosts(e)))},
	}
}

// hosts are the different hosts of all ranks.
func hosts(e report.Environment) []string {
	return slices.Compact(slices.Sorted(slices.Values(e.Hosts)))
}

// recordFault finds what run.json says twice, and differently.
func recordFault(r Run) string {
	settled := *r.Run
	settled.Settle()
	g := r.Config.Graph
	switch {
	case r.Status != settled.Status:
		return fmt.Sprintf("the status is %s, and the searches make it %s", r.Status, settled.Status)
	case g.Scale != r.Scale, g.EdgeFactor != r.EdgeFactor:
		return fmt.Sprintf("the configuration is of scale %d and edge factor %d, the run of %d and %d",
			g.Scale, g.EdgeFactor, r.Scale, r.EdgeFactor)
	case len(r.Environment.Hosts) != r.Ranks:
		return fmt.Sprintf("the run has %d ranks, on %d hosts by name", r.Ranks, len(r.Environment.Hosts))
	case r.Config.Search.Keys < r.Keys:
		return fmt.Sprintf("the configuration asks for %d search keys, the run has %d", r.Config.Search.Keys, r.Keys)
	}
	return ""
}

func filesFault(r Run) string {
	if err := bench.CompareStored(r.Dir, r.Run); err != nil {
		return err.Error()
	}
	return ""
}
