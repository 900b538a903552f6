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
// in label order, -1 if it was not reached. It is collective, and needs weighted tuples in New. Source: specification,
// section "Validation". Sums are rounded to single precision, and must be equal to the bit, as in the Graph500
// reference code. In addition, the parents must lead to the root: the reference code accepts cycles of weights that
// vanish in the rounding. Verdict.Levels is the number of vertices of the path with the most vertices.
func (v *Validator) Paths(root graph.Global, parents []graph.Global, distances []float32) (Verdict, error) {
	if len(distances) != len(parents) {
		return Verdict{}, fmt.Errorf("validate: %d distances for the %d vertices of rank %d",
			len(distances), len(parents), v.self)
	}
	if v.rows.weights == nil && len(v.rows.slots) > 0 {
		return Verdict{}, errors.New("validate: shortest paths need edge tuples with weights")
	}
	tree, found, err := v.climb(root, parents)
	if found.rule == noRule && err == nil {
		found, err = agree(v.t, v.checkDistances(tree, distances))
	}
	if found.rule != noRule || err != nil {
		return found.verdict(), err
	}
	err = v.distances.load(v, func(values []float32, lo int) { copy(values, distances[lo:]) })
	if err != nil {
		return Verdict{}, err
	}
	at := v.distances.at
	return check(v, rules[float32]{at, unreachedDistance, v.pathsOfRow(at)}, tree)
}

// checkDistances finds impossible distances.
func (v *Validator) checkDistances(tree tree, distances []float32) finding {
	found := noFault
	for i, d := range distances {
		isRoot, reached := v.owns(tree.root, i), tree.parents[i] != graph.NoParent
		switch {
		case !reached && d == unreachedDistance, isRoot && d == 0, reached && !isRoot && d >= 0 && d <= math.MaxFloat32:
			continue
		}
		found = worse(found, finding{rule: ruleDistance, vertex: v.climber.label(i), other: tree.parents[i],
			levels: [2]int64{int64(math.Float32bits(d))}})
	}
	return found
}

// pathsOfRow returns the check of a row, given the distances. The end closer to the root finds a tuple that makes a
// path shorter.
func (v *Validator) pathsOfRow(at []float32) rowCheck {
	return func(sum *tally, vertex int, row []uint32, parent uint32) bool {
		own, weights := at[vertex], v.rows.weightsOf(vertex)
		valid, joined, tight := true, false, false
		for i, s := range row {
			other := at[s]
			if other == unreachedDistance || own+weights[i] < other {
				valid = false
			}
			if s == parent {
				joined = true
				tight = tight || other+weights[i] == own
			}
		}
		if !valid {
			sum.report(v.shorterTuple(at, vertex))
		}
		if joined && !tight {
			sum.report(finding{rule: rulePathEdge, vertex: v.climber.label(vertex),
				other: v.ids.label(v.ghosts.id(v.self, parent))})
		}
		return joined
	}
}

// shorterTuple returns the finding on the worst tuple of a row that leads to an unreached vertex or makes a path
// shorter.
func (v *Validator) shorterTuple(at []float32, vertex int) finding {
	unknown := [2]int64{unknownLevel, unknownLevel}
	weights := v.rows.weightsOf(vertex)
	worst := noFault
	for i, s := range v.rows.of(vertex) {
		switch {
		case at[s] == unreachedDistance:
			worst = worse(worst, v.onTuple(ruleSpan, vertex, s, unknown))
		case at[vertex]+weights[i] < at[s]:
			worst = worse(worst, v.onTuple(ruleShorter, vertex, s, unknown))
		}
	}
	return worst
}
