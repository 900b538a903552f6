package validate

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// Validator has the edge tuples in a structure in which results are checked quickly. It is built once a run, outside
// the timed sections, and used by the goroutine of its rank.
type Validator struct {
	t       comm.Transport
	self    int
	ids     idMap
	workers int
	limit   limits

	rows   rows
	loops  []graph.Local // owned vertices with a self-loop, once for each such tuple
	ghosts ghosts

	climber    climber
	levels     values[uint8]
	deepLevels values[uint32] // levels too large for 8 bits
	distances  values[float32]
}

// limits bound the messages and work of a rank at a time, whatever the size of the graph.
type limits struct {
	tuples   int // sent to their owners
	vertices int // that query their ancestors
	ghosts   int // whose levels are sent
	block    int // vertices or rows that a worker takes at a time
}

// usual keeps the buffers of a rank near 100 MB, and a step long compared with the latency of a collective.
var usual = limits{tuples: 1 << 20, vertices: 1 << 18, ghosts: 1 << 20, block: 1 << 11}

// New builds a Validator of the edge tuples, which may be distributed over the ranks arbitrarily. It is collective,
// reads the tuples only until it returns, and uses workers goroutines. Labels outside the layout are an error. Only a
// Validator of graph.WeightedTuples can check shortest paths.
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
	ids := idMap{layout, layout.Vertices(), layout.Ranks() == 1}
	v := &Validator{t: t, self: t.Rank(), ids: ids, workers: max(workers, 1), limit: limit}
	d, err := v.distribute(own)
	if err != nil {
		return nil, err
	}
	v.loops = d.loops
	if v.ghosts, err = v.newGhosts(d); err != nil {
		return nil, err
	}
	v.rows = newRows(v.workers, layout.Count(v.self), d.runs(v.self, v.ghosts.first))
	v.climber = newClimber(v)
	return v, nil
}

// tree is the result of a search whose parents lead to the root.
type tree struct {
	root    packedID
	parents []graph.Global
	deepest int64 // the largest level, on all ranks
}

// climb checks the parents by the rules that need no tuples, and computes the levels. The finding is the same on all
// ranks. A root outside the graph or a wrong number of parents is an error.
func (v *Validator) climb(root graph.Global, parents []graph.Global) (tree, finding, error) {
	if !v.ids.valid(root) {
		return tree{}, noFault, fmt.Errorf("validate: the root %d is not a vertex; labels are 0 to %d",
			root, v.ids.vertices-1)
	}
	if len(parents) != len(v.climber.up) {
		return tree{}, noFault, fmt.Errorf("validate: %d parents for the %d vertices of rank %d",
			len(parents), len(v.climber.up), v.self)
	}
	t := tree{root: v.ids.pack(root), parents: parents}
	found, err := agree(v.t, v.climber.enter(t.root, parents))
	if found.rule == noRule && err == nil {
		found, err = v.climber.climb(t.root, parents)
	}
	if found.rule == noRule && err == nil {
		t.deepest, err = v.climber.deepest()
	}
	return t, found, err
}
