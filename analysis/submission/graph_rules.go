package submission

import (
	"fmt"

	"g500/graph"
	"g500/kronecker"
	"g500/record"
)

func edgeFactorFault(r Run) string {
	if r.EdgeFactor != record.OfficialEdgeFactor {
		return fmt.Sprintf("the edge factor is %d", r.EdgeFactor)
	}
	return ""
}

func seedsFault(r Run) string {
	if r.Config.Graph.Seeds != record.OfficialSeeds {
		return fmt.Sprintf("the seeds are %d and %d", r.Config.Graph.Seeds[0], r.Config.Graph.Seeds[1])
	}
	return ""
}

func generatedFault(r Run) string {
	if spec := r.Config.Graph.Spec; spec != "" || r.Graph != nil {
		return fmt.Sprintf("the graph is %s, and not the official one (--graph)", spec)
	}
	if file := r.Config.Graph.Edges; file != "" {
		return fmt.Sprintf("the edge list was read from %s", file)
	}
	return ""
}

func keysFault(_ Run, k record.KernelRun) string {
	if k.Keys != record.OfficialKeys {
		return fmt.Sprintf("the run has %d search keys", k.Keys)
	}
	of := map[int64]int{}
	for _, s := range k.Searches {
		if first, twice := of[s.Root]; twice {
			return fmt.Sprintf("keys %d and %d are both vertex %d", first, s.Key, s.Root)
		}
		of[s.Root] = s.Key
	}
	return ""
}

// chosenFault finds settings by which the user has chosen what is searched, and how often.
func chosenFault(r Run) string {
	switch s := r.Config.Search; {
	case s.Roots != "":
		return fmt.Sprintf("the roots were read from %s (--roots)", s.Roots)
	case s.MinTime != 0:
		return fmt.Sprintf("the keys were searched in rounds until %v were over (--min-time)", s.MinTime)
	}
	return ""
}

// drawnFault looks for the roots among the candidates that the generator draws, in its order. Candidates between two of
// them would be isolated vertices or repetitions, which is not checked: that takes the graph.
func drawnFault(r Run, k record.KernelRun) string {
	roots := map[int]int64{}
	for _, s := range k.Searches {
		roots[s.Key] = s.Root
	}
	p := r.Config.Params()
	if err := p.Validate(); err != nil {
		return fmt.Sprintf("the generator's parameters are not right: %v", err)
	}
	next := int64(0)
	for key := range record.OfficialKeys {
		root, done := roots[key]
		if !done {
			continue // another rule tells
		}
		if next = drawnFrom(p, next, root); next < 0 {
			return fmt.Sprintf("the generator does not draw vertex %d, which is search key %d, at that place", root, key)
		}
	}
	return ""
}

// passedOver bounds how many candidates in a row are no keys. The share of vertices without an edge grows slowly with
// the scale, to 38% at scale 20: this many in a row do not come.
const passedOver = 1024

// drawnFrom is the number of the candidate after the first, from number next on, that is this vertex; -1 if it is not
// among them.
func drawnFrom(p kronecker.Params, next, root int64) int64 {
	for k := next; k < next+passedOver; k++ {
		if p.KeyCandidate(k) == graph.Global(root) {
			return k + 1
		}
	}
	return -1
}
