package validate

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// Validator holds the edge tuples in a form in which results can be checked quickly. It is built once a run, outside
// the clock, and used from the goroutine of its rank.
type Validator struct {
	t     comm.Transport
	self  int
	atlas atlas
	crew  crew
	limit limits

	rows   rows
	loops  []graph.Local // owned vertices with a self-loop, once for each such tuple
	ghosts ghosts

	climber   climber
	narrow    values[uint8]   // levels
	wide      values[uint32]  // levels too deep for narrow, made for the first such tree
	distances values[float32] // made for the first shortest paths
}

// limits bound the messages and work of a rank at a time, whatever the size of the graph.
type limits struct {
	tuples   int // on their way to their owners
	vertices int // that query their ancestors
	ghosts   int // whose levels are sent
	block    int // vertices or rows that a worker takes at a time
}

// usual keeps the buffers of a rank near 100 MB, and a step long against the latency of a collective.
var usual = limits{tuples: 1 << 20, vertices: 1 << 18, ghosts: 1 << 20, block: 1 << 11}

// New builds a Validator of the edge tuples, which are spread over the ranks in any way. It is collective, reads the
// tuples only until it returns, and uses workers goroutines. Labels outside the layout are an error. Only a Validator
// of graph.WeightedTuples can check shortest paths.
func New(t comm.Transport, layout partition.Layout, tuples graph.Tuples, workers int) (*Validator, error) {
	edges, err := tuples.Host()
	if err != nil {
		return nil, err
	}
	own := share{edges: edges}
	if weighted, ok := tuples.(graph.WeightedTuples); ok {
		if own.weights, err = weighted.HostWeights(); err != nil {
			return nil, err
		}
	}
	return newValidator(t, layout, own, workers, usual)
}

// share is a rank's part of the edge list; weights may be nil.
type share struct {
	edges   []graph.Edge
	weights []float32
}

// cut returns the tuples from lo to hi.
func (s share) cut(lo, hi int) share {
	if s.weights == nil {
		return share{s.edges[lo:hi], nil}
	}
	return share{s.edges[lo:hi], s.weights[lo:hi]}
}

func newValidator(t comm.Transport, layout partition.Layout, own share, workers int, limit limits) (*Validator, error) {
	if t.Size() != layout.Ranks() {
		return nil, fmt.Errorf("validate: the layout is for %d ranks, the job has %d", layout.Ranks(), t.Size())
	}
	v := &Validator{t: t, self: t.Rank(), atlas: newAtlas(layout), crew: crew(max(workers, 1)), limit: limit}
	dealt, err := v.deal(own)
	if err != nil {
		return nil, err
	}
	v.loops = dealt.loops
	owned := layout.Count(v.self)
	if v.ghosts, err = newGhosts(t, v.crew, layout, dealt, limit.ghosts); err != nil {
		return nil, err
	}
	v.rows = newRows(v.crew, owned, dealt.runs(v.self, v.ghosts.first))
	v.climber = newClimber(v, layout)
	v.narrow = newValues[uint8](&v.ghosts)
	return v, nil
}

// tree is a search's result after the climb.
type tree struct {
	root    place
	parents []graph.Global
	deepest int64 // the largest level, on all ranks
}

// climb checks the parents by the rules that need no tuples, and finds the levels. The finding is the same on all
// ranks. A root or parents that are not of the graph are an error.
func (v *Validator) climb(root graph.Global, parents []graph.Global) (tree, finding, error) {
	if !v.atlas.holds(root) {
		return tree{}, nothing, fmt.Errorf("validate: the root %d is not a vertex; labels are 0 to %d",
			root, v.atlas.vertices-1)
	}
	if len(parents) != len(v.climber.up) {
		return tree{}, nothing, fmt.Errorf("validate: %d parents for the %d vertices of rank %d",
			len(parents), len(v.climber.up), v.self)
	}
	t := tree{root: v.atlas.place(root), parents: parents}
	found, err := agree(v.t, v.climber.enter(t.root, parents))
	if found.rule != noRule || err != nil {
		return t, found, err
	}
	found, err = v.climber.climb(t.root, parents)
	if found.rule != noRule || err != nil {
		return t, found, err
	}
	t.deepest, err = v.climber.deepest()
	return t, found, err
}
