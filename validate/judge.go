package validate

import (
	"fmt"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// Judge holds the edge tuples in a form in which trees can be checked quickly. It is built once a run, outside
// the clock, and used from the goroutine of its rank.
type Judge struct {
	t     comm.Transport
	self  int
	atlas atlas
	crew  crew
	limit limits

	rows   rows
	loops  []graph.Local // owned vertices with a self-loop, once for each such tuple
	ghosts ghosts

	climber climber
	narrow  levels[uint8]
	wide    levels[uint32] // made when the first tree comes that is too deep for narrow
}

// limits bound what a rank has under way at a time, whatever the size of the graph.
type limits struct {
	tuples   int // on their way to their owners
	vertices int // asking for their ancestors
	ghosts   int // whose levels are told
	block    int // vertices or rows that a worker takes at a time
}

// usual keeps the buffers of a rank near 100 MB, and a step long against the latency of a collective.
var usual = limits{tuples: 1 << 20, vertices: 1 << 18, ghosts: 1 << 20, block: 1 << 11}

// New builds a Judge of the edge tuples, which lie spread over the ranks in any way. It is collective, reads
// edges only until it returns, and uses workers goroutines. Labels outside the layout are an error.
func New(t comm.Transport, layout partition.Layout, edges []graph.Edge, workers int) (*Judge, error) {
	return newJudge(t, layout, share{edges, nil}, workers, usual)
}

// NewWeighted builds a Judge that can check shortest paths as well: weights are those of the edges.
func NewWeighted(t comm.Transport, layout partition.Layout, edges []graph.Edge, weights []float32,
	workers int) (*Judge, error) {
	return newJudge(t, layout, share{edges, weights}, workers, usual)
}

// share is a rank's part of the edge list; weights may be nil.
type share struct {
	edges   []graph.Edge
	weights []float32
}

func newJudge(t comm.Transport, layout partition.Layout, own share, workers int, limit limits) (*Judge, error) {
	if t.Size() != layout.Ranks() {
		return nil, fmt.Errorf("validate: the layout is for %d ranks, the job has %d", layout.Ranks(), t.Size())
	}
	j := &Judge{t: t, self: t.Rank(), atlas: newAtlas(layout), crew: crew(max(workers, 1)), limit: limit}
	dealt, err := j.deal(own.edges, own.weights)
	if err != nil {
		return nil, err
	}
	j.loops = dealt.loops
	owned := layout.Count(j.self)
	if j.ghosts, err = newGhosts(t, j.crew, layout, dealt, limit.ghosts); err != nil {
		return nil, err
	}
	j.rows = newRows(j.crew, owned, dealt.runs(j.self, j.ghosts.first))
	j.climber = newClimber(j, layout)
	j.narrow = newLevels[uint8](owned, &j.ghosts)
	return j, nil
}

// Tree checks the tree of one search from root: parents holds the parent's label, or graph.NoParent, of every
// owned vertex in label order. Tree is collective. A broken rule is a verdict, the same on every rank; the error
// is for trouble of the transport and for arguments that are no tree at all.
func (j *Judge) Tree(root graph.Global, parents []graph.Global) (Verdict, error) {
	if err := j.isTree(root, parents); err != nil {
		return Verdict{}, err
	}
	home := j.atlas.place(root)
	found, deepest, err := j.climb(home, parents)
	switch {
	case found.rule != noRule || err != nil:
		return found.verdict(), err
	case deepest <= deepestOf[uint8]():
		return checkTuples(j, &j.narrow, home, parents, deepest)
	case deepest <= deepestOf[uint32]():
		if j.wide.at == nil {
			j.wide = newLevels[uint32](len(parents), &j.ghosts)
		}
		return checkTuples(j, &j.wide, home, parents, deepest)
	}
	return Verdict{}, fmt.Errorf("validate: the tree has %d levels; at most %d can be checked",
		deepest+1, deepestOf[uint32]()+1)
}

// isTree refuses what cannot be judged.
func (j *Judge) isTree(root graph.Global, parents []graph.Global) error {
	if !j.atlas.holds(root) {
		return fmt.Errorf("validate: the root %d is not a vertex; labels are 0 to %d", root, j.atlas.vertices-1)
	}
	if len(parents) != len(j.climber.up) {
		return fmt.Errorf("validate: %d parents for the %d vertices of rank %d", len(parents), len(j.climber.up), j.self)
	}
	return nil
}

// climb holds the parents to the rules that need no tuples, and returns the deepest level. The finding is the same on
// all ranks.
func (j *Judge) climb(root place, parents []graph.Global) (finding, int64, error) {
	found, err := agree(j.t, j.climber.enter(root, parents))
	if found.rule != noRule || err != nil {
		return found, 0, err
	}
	found, err = j.climber.climb(root, parents)
	if found.rule != noRule || err != nil {
		return found, 0, err
	}
	deepest, err := j.climber.deepest()
	return found, deepest, err
}
