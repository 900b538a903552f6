package submission

import (
	"fmt"
	"slices"

	"g500/bench"
	"g500/report"
)

// bitsFault refuses results in which a vertex number has fewer bits than the specification asks for.
func bitsFault(r Run) string {
	if bits := r.ParentBits(); bits < report.OfficialBits {
		return fmt.Sprintf("the searches wrote parents of %d bits: run it again with --result-bits 64", bits)
	}
	return ""
}

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
			return fmt.Sprintf("the result of search key %d was not validated", s.Key)
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
func hosts(e report.Environment) []string {
	return slices.Compact(slices.Sorted(slices.Values(e.Hosts)))
}

// recordFault finds what run.json says twice, and differently: what is packed is derived again first.
func recordFault(r Run) string {
	stored, err := report.Stored(r.Dir)
	if err == nil {
		err = report.CheckJSON(stored)
	}
	g := r.Config.Graph
	switch {
	case err != nil:
		return err.Error()
	case g.Scale != r.Scale, g.EdgeFactor != r.EdgeFactor:
		return fmt.Sprintf("the configuration is of scale %d and edge factor %d, the run of %d and %d",
			g.Scale, g.EdgeFactor, r.Scale, r.EdgeFactor)
	case len(r.Environment.Hosts) != r.Ranks:
		return fmt.Sprintf("the run has %d ranks, on %d hosts by name", r.Ranks, len(r.Environment.Hosts))
	case r.ResultBits > 0 && r.ResultBits != r.Config.Search.ResultBits:
		return fmt.Sprintf("the configuration asks for parents of %d bits, the searches wrote %d",
			r.Config.Search.ResultBits, r.ResultBits)
	case r.HasSSSP() && r.Config.Search.Prune != "" && r.Config.Search.Prune != pruning(r.Run):
		return fmt.Sprintf("the configuration asks for pruning by %s, the searches were on a structure with %s",
			r.Config.Search.Prune, pruning(r.Run))
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
