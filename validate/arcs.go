// SPDX-License-Identifier: Apache-2.0

package validate

// In a directed graph, the rows of a vertex have the sources of the arcs that enter it. So the owner of an arc's target
// checks it, with the source's level or distance:
//
//	3, 4  if the source was reached, so was the target, at most one level further
//	5     an arc leads from a vertex's parent to it
//
// For shortest paths, no arc makes the path to its target shorter, and the arc from the parent has the difference of
// the distances. Arcs from unreached vertices may lead into the tree.

// checkArcSets is the rowCheck of level sets. Sets of one level have the order of levels, with outside as the highest.
func (v *Validator) checkArcSets(sum *tally, vertex int) (confirmed bool, ends int) {
	least := v.levels.at[vertex] >> 1
	return checkArcs(v, sum, arcRow[levelSet]{vertex, v.levels.at, least, outside, v.levelOfSet})
}

// checkDeepArcs is the rowCheck of levels.
func (v *Validator) checkDeepArcs(sum *tally, vertex int) (confirmed bool, ends int) {
	least := max(v.deepLevels.at[vertex], 1) - 1
	return checkArcs(v, sum, arcRow[uint32]{vertex, v.deepLevels.at, least, deepOutside, v.deepLevel})
}

// arcRow is the rows of a vertex in which the levels of all reached sources must be least or higher: all levels are
// lower if the vertex was not reached.
type arcRow[T levelSet | uint32] struct {
	vertex         int
	at             []T // the level of each slot
	least, outside T
	level          func(slot uint32) int64
}

func checkArcs[T levelSet | uint32](v *Validator, sum *tally, row arcRow[T]) (confirmed bool, ends int) {
	near, inNear, nearFault := arcsFrom(v.near.of(row.vertex), v.parent[row.vertex], &row)
	far, inFar, farFault := arcsFrom(v.far.of(row.vertex), v.parent[row.vertex], &row)
	outer, inOuter, outerFault := arcsFrom(v.outer.of(row.vertex), v.parent[row.vertex], &row)
	if nearFault || farFault || outerFault {
		v.reportArcs(sum, row.vertex, row.level)
	}
	return inNear || inFar || inOuter, 2 * (near + far + outer) // an arc is in one row
}

// arcsFrom returns the number of reached sources in a row, whether the parent is one, and whether the level of one is
// too low.
func arcsFrom[S slot, T levelSet | uint32](sources []S, parent uint32, row *arcRow[T]) (reached int, joined, low bool) {
	at, least, outside := row.at, row.least, row.outside
	for _, s := range sources {
		level := at[s]
		if level != outside {
			reached++
		}
		joined = joined || uint32(s) == parent
		low = low || level < least
	}
	return reached, joined, low
}

// reportArcs reports the worst arc in the rows of a vertex.
func (v *Validator) reportArcs(sum *tally, vertex int, level func(slot uint32) int64) {
	own := level(uint32(vertex))
	for _, s := range v.slotsOf(vertex) {
		from := level(s)
		f := finding{ErrArcLevels, v.labelOfSlot(s), v.label(vertex), [2]int64{from, own}}
		switch {
		case from == unreachedLevel:
		case own == unreachedLevel:
			f.rule = ErrArcSpan
			sum.report(f)
		case own > from+1:
			sum.report(f)
		}
	}
}

// checkArcPaths is the rowCheck of distances.
func (v *Validator) checkArcPaths(sum *tally, vertex int) (confirmed bool, ends int) {
	near, inNear := arcPathsOf(v, sum, vertex, &v.near)
	far, inFar := arcPathsOf(v, sum, vertex, &v.far)
	outer, inOuter := arcPathsOf(v, sum, vertex, &v.outer)
	return inNear || inFar || inOuter, 2 * (near + far + outer)
}

// arcPathsOf checks one row, and returns the number of its reached sources.
func arcPathsOf[S slot](v *Validator, sum *tally, vertex int, in *rows[S]) (reached int, confirmed bool) {
	at, parent := v.distances.at, v.parent[vertex]
	own, weights := at[vertex], in.weightsOf(vertex)
	for i, s := range in.of(vertex) {
		from := at[s]
		if from < 0 {
			continue
		}
		reached++
		there := from + weights[i]
		if own < 0 || there < own {
			broken := ErrShorter
			if own < 0 {
				broken = ErrArcSpan
			}
			sum.report(finding{broken, v.labelOfSlot(uint32(s)), v.label(vertex), [2]int64{unknownLevel, unknownLevel}})
		}
		confirmed = confirmed || there == own && uint32(s) == parent
	}
	return reached, confirmed
}
