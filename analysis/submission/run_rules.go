package submission

import (
	"fmt"
	"slices"

	"g500/record"
)

// bitsFault refuses results in which a vertex number has fewer bits than the specification asks for.
func bitsFault(r Run) string {
	if bits := r.ResultBits; bits < record.OfficialBits {
		return fmt.Sprintf("the searches wrote parents of %d bits: run it again with --result-bits 64", bits)
	}
	return ""
}

func completeFault(_ Run, k record.KernelRun) string {
	if len(k.Searches) < k.Keys || k.Keys == 0 {
		return fmt.Sprintf("%d of %d searches are done", len(k.Searches), k.Keys)
	}
	return ""
}

func validatedFault(r Run, k record.KernelRun) string {
	if !r.Config.Search.Validate {
		return "the run went without validation (--validate=false)"
	}
	for _, s := range k.Searches {
		if s.ValidateSeconds < 0 {
			return fmt.Sprintf("the result of search key %d was not validated", s.Key)
		}
	}
	return ""
}

// verdictFault derives the verdict again, whatever the file has.
func verdictFault(r Run) string {
	if verdict := r.Verdict(); verdict != string(record.Valid) {
		return verdict
	}
	return ""
}

func timedFault(r Run, k record.KernelRun) string {
	switch {
	case !(r.GenerationSeconds > 0):
		return fmt.Sprintf("graph generation took %g s", r.GenerationSeconds)
	case !(k.ConstructionSeconds > 0):
		return fmt.Sprintf("kernel 1 took %g s", k.ConstructionSeconds)
	}
	return ""
}

func syncFault(r Run) string {
	if r.Config.Search.KernelTimes {
		return "every kernel was waited for and timed by itself"
	}
	return ""
}

// constructionFault refuses searches of another construction than the one whose time is told. Kernel 1 is timed once,
// and a run could else be cut off and resumed until its construction time pleases. A part that was cut off before its
// first search leaves nothing behind: the run began anew.
func constructionFault(r Run) string {
	earlier := r.Resumed
	for _, part := range r.Parts {
		earlier = max(earlier, part.Searches)
	}
	if earlier > 0 {
		return fmt.Sprintf("the run was resumed: %d searches are of an earlier construction", earlier)
	}
	return ""
}

// hosts are the different hosts of all ranks.
func hosts(e record.Environment) []string {
	return slices.Compact(slices.Sorted(slices.Values(e.Nodes)))
}

// contradictionFault describes the contradiction in a run's record (package record).
func contradictionFault(r Run) string { return r.contradiction }

func filesFault(r Run) string {
	if err := r.CompareFiles(r.Dir); err != nil {
		return err.Error()
	}
	return ""
}
