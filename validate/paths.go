// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"errors"
	"fmt"
	"math"

	"g500/graph"
	"g500/internal/par"
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
	if !v.weighted && v.order.connected > 0 {
		return Verdict{}, errors.New("validate: shortest paths need edge tuples with weights")
	}
	defer par.Hold(v.workers)()
	tree, found, err := v.enter(root, parents)
	if found.Rule == noRule && err == nil {
		found, err = agree(v.t, v.checkDistances(tree, distances))
	}
	if found.Rule != noRule || err != nil {
		return v.verdict(found), err
	}
	err = v.distances.load(v, func(values []float32, lo int) {
		for i, local := range v.order.local[lo : lo+len(values)] {
			values[i] = distances[local]
		}
	})
	if err != nil {
		return Verdict{}, err
	}
	return checkTuples(v, rules[float32]{v.distances.at, unreachedDistance, v.checkPaths, v.confirmsPath}, tree)
}

// checkDistances finds impossible distances.
func (v *Validator) checkDistances(tree tree, distances []float32) Fault {
	tallies := newTallies(v.workers)
	par.For(v.workers, v.owned, v.limit.block, func(w, lo, hi int) {
		for i := lo; i < hi; i++ {
			isRoot := tree.root.rank() == v.self && int(tree.root.local()) == i
			d, reached := distances[i], tree.parents[i] != graph.NoParent
			switch {
			case !reached && d == unreachedDistance, isRoot && d == 0, reached && !isRoot && d >= 0 && d <= math.MaxFloat32:
				continue
			}
			tallies[w].report(Fault{Rule: ErrDistance, Vertex: v.labelOf(graph.Local(i)), Other: tree.parents[i],
				levels: [2]int64{int64(math.Float32bits(d))}})
		}
	})
	return worstOf(tallies)
}

// checkPaths is the rowCheck of distances.
func (v *Validator) checkPaths(sum *tally, vertex int) (confirmed bool) {
	near := pathsOf(v, sum, vertex, &v.near)
	far := pathsOf(v, sum, vertex, &v.far)
	outer := pathsOf(v, sum, vertex, &v.outer)
	return near || far || outer
}

// pathsOf checks one row. Arcs make only paths to their targets shorter, and may leave unreached vertices.
func pathsOf[S slot](v *Validator, sum *tally, vertex int, in *rows[S]) (confirmed bool) {
	at, parent, directed := v.distances.at, v.parent[vertex], v.directed
	own, weights := at[vertex], in.weightsOf(vertex)
	for i, s := range in.of(vertex) {
		other, weight := at[s], weights[i]
		if directed && other < 0 {
			continue
		}
		there, back := own+weight, other+weight
		if !directed && there < other || back < own || (own < 0) != (other < 0) {
			sum.report(v.pathFinding(vertex, uint32(s)))
		}
		if back == own && uint32(s) == parent {
			confirmed = true
		}
	}
	return confirmed
}

// confirmsPath reports whether a tuple in the rows of a vertex has the difference of its distance and another's.
func (v *Validator) confirmsPath(row, vertex uint32) bool {
	return hasPath(v.distances.at, &v.near, row, vertex) || hasPath(v.distances.at, &v.far, row, vertex)
}

func hasPath[S slot](at []float32, in *rows[S], row, vertex uint32) bool {
	weights := in.weightsOf(int(row))
	for i, s := range in.of(int(row)) {
		if uint32(s) == vertex && at[row]+weights[i] == at[vertex] {
			return true
		}
	}
	return false
}

// pathFinding returns the fault on a tuple that leaves the tree or makes a path shorter.
func (v *Validator) pathFinding(vertex int, slot uint32) Fault {
	broken := ErrShorter
	if at := v.distances.at; (at[vertex] < 0) != (at[slot] < 0) {
		broken = ErrSpan
	}
	return v.onTuple(broken, vertex, slot, [2]int64{unknownLevel, unknownLevel})
}
