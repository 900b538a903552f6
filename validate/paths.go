package validate

import (
	"errors"
	"fmt"
	"math"

	"g500/graph"
)

// unreachedDistance is the distance of a vertex that was not reached.
const unreachedDistance float32 = -1

// Paths checks the shortest paths of one search from root: parents as in Tree, and the distance of every owned vertex
// in label order, -1 where it was not reached. It is collective, and needs a Judge of NewWeighted. Source:
// specification, section "Validation"; sums are rounded to single precision, and must be equal to the bit, as in the
// official program. Beyond that program, the parents must lead to the root: it accepts cycles of weights that vanish in
// the rounding. Verdict.Levels counts the vertices of the path with most of them.
func (j *Judge) Paths(root graph.Global, parents []graph.Global, distances []float32) (Verdict, error) {
	if err := j.isTree(root, parents); err != nil {
		return Verdict{}, err
	}
	if len(distances) != len(parents) {
		return Verdict{}, fmt.Errorf("validate: %d distances for the %d vertices of rank %d",
			len(distances), len(parents), j.self)
	}
	if j.ghosts.slots > 0 && j.rows.weights == nil && len(j.rows.slots) > 0 {
		return Verdict{}, errors.New("validate: shortest paths need a judge that knows the weights")
	}
	home := j.atlas.place(root)
	found, deepest, err := j.climb(home, parents)
	if found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	if found, err = agree(j.t, j.checkDistances(home, parents, distances)); found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	at := make([]uint32, j.ghosts.slots) // the bits of distances
	for v, d := range distances {
		at[v] = math.Float32bits(d)
	}
	if err := learn(j, at, make([][]uint32, len(j.ghosts.of))); err != nil {
		return Verdict{}, err
	}
	tallies := make([]tally, j.crew)
	for w := range tallies {
		tallies[w].found = nothing
	}
	j.crew.blocks(len(parents), j.limit.block, func(w, lo, hi int) {
		for v := lo; v < hi; v++ {
			if distances[v] != unreachedDistance {
				j.checkPaths(at, home, v, parents[v], &tallies[w])
			}
		}
	})
	for _, v := range j.loops {
		if distances[v] != unreachedDistance {
			tallies[0].loops++
		}
	}
	return j.sum(tallies, deepest)
}

// checkDistances finds distances that cannot be.
func (j *Judge) checkDistances(root place, parents []graph.Global, distances []float32) finding {
	found := nothing
	for v, d := range distances {
		isRoot := root.rank() == j.self && int(root.local()) == v
		reached := parents[v] != graph.NoParent
		switch {
		case !reached && d == unreachedDistance, isRoot && d == 0, reached && !isRoot && d >= 0 && d <= math.MaxFloat32:
			continue
		}
		found = worse(found, finding{rule: ruleDistance, vertex: j.climber.label(v), other: parents[v],
			levels: [2]int64{int64(math.Float32bits(d))}})
	}
	return found
}

// checkPaths judges the tuples of a reached vertex v. A tuple that makes a path shorter is seen from its end nearer to
// the root.
func (j *Judge) checkPaths(at []uint32, root place, v int, parent graph.Global, sum *tally) {
	row, weights := j.rows.of(v), j.rows.weightsOf(v)
	own, label := math.Float32frombits(at[v]), j.climber.label(v)
	sum.ends += int64(len(row))
	sum.reached++
	slot, known := j.slot(parent)
	joined, tight := false, false
	for i, s := range row {
		other := math.Float32frombits(at[s])
		switch {
		case other == unreachedDistance:
			sum.found = worse(sum.found, j.onTuple(ruleSpan, label, s))
		case own+weights[i] < other:
			sum.found = worse(sum.found, j.onTuple(ruleShorter, label, s))
		}
		if s == slot {
			joined = true
			tight = tight || other+weights[i] == own
		}
	}
	switch {
	case root.rank() == j.self && int(root.local()) == v:
	case !known || !joined:
		sum.found = worse(sum.found, finding{rule: ruleTreeEdge, vertex: label, other: parent})
	case !tight:
		sum.found = worse(sum.found, finding{rule: rulePathEdge, vertex: label, other: parent})
	}
}

// onTuple is a finding on a tuple, the lower label first.
func (j *Judge) onTuple(broken rule, label graph.Global, s uint32) finding {
	other := j.atlas.label(j.ghosts.place(j.self, s))
	return finding{rule: broken, vertex: min(label, other), other: max(label, other),
		levels: [2]int64{unknownLevel, unknownLevel}}
}
