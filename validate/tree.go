// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"math"
	"math/bits"

	"g500/graph"
	"g500/graph/engine"
	"g500/internal/par"
)

// Validate checks the result of a search from root in host memory: paths if it has distances, else a tree. Collective.
func (v *Validator) Validate(root graph.Global, result engine.Result) (Verdict, error) {
	found, err := result.Host()
	switch {
	case err != nil:
		return Verdict{}, err
	case found.Distances != nil:
		return v.Paths(root, found.Parents, found.Distances)
	}
	return v.Tree(root, found.Parents)
}

// Tree checks the breadth-first tree of one search from root: parents has the parent's label, or graph.NoParent, of
// every owned vertex in label order. Tree is collective. A broken rule is a verdict, the same on every rank. The error
// is of the transport, or names arguments that are not a tree.
func (v *Validator) Tree(root graph.Global, parents []graph.Global) (Verdict, error) {
	defer par.Hold(v.workers)()
	tree, found, err := v.enter(root, parents)
	switch {
	case found.Rule != noRule || err != nil:
		return v.verdict(found), err
	case tree.deepest < setLevels:
		stored := func(level int64) levelSet { return 1 << level }
		return checkLevels(v, tree, &v.levels, outside, stored, v.checkSets)
	case tree.deepest < deepOutside:
		stored := func(level int64) uint32 { return uint32(level) }
		return checkLevels(v, tree, &v.deepLevels, deepOutside, stored, v.checkDeep)
	}
	return Verdict{}, fmt.Errorf("validate: the tree has %d levels; at most %d can be checked",
		tree.deepest+1, int64(deepOutside))
}

// checkLevels checks a tree by levels as they are stored. It first stores the levels that the climber has found.
func checkLevels[L levelSet | uint32](
	v *Validator, tree tree, levels *values[L], outside L, stored func(level int64) L, check rowCheck,
) (Verdict, error) {
	if !tree.walked {
		err := levels.load(v, func(values []L, lo int) {
			for i, local := range v.order.local[lo : lo+len(values)] {
				values[i] = outside
				if a := v.climber.up[local]; a.at != noVertex {
					values[i] = stored(a.hops)
				}
			}
		})
		if err != nil {
			return Verdict{}, err
		}
	}
	return checkTuples(v, rules[L]{levels.at, outside, check, v.joined}, tree)
}

// levelSet is a set of levels, one bit for each of the first setLevels, and one for vertices outside the tree. The
// level of a vertex is stored as a set of one level, so a row is checked by the union of its levels. Trees of official
// graphs have fewer levels.
type levelSet uint16

const (
	setLevels          = 14
	outside   levelSet = 1 << 15
)

// deepest returns the largest level in a set, unreachedLevel if there is none.
func (s levelSet) deepest() int64 { return int64(bits.Len16(uint16(s&(1<<setLevels-1)))) - 1 }

// deepOutside is the level of vertices outside a tree with more levels: unreachedLevel in 32 bits.
const deepOutside = math.MaxUint32

// checkSets is the rowCheck of level sets.
func (v *Validator) checkSets(sum *tally, vertex int) (confirmed bool) {
	at, parent := v.levels.at, v.parent[vertex]
	near, far, outer := v.near.of(vertex), v.far.of(vertex), v.outer.of(vertex)
	found, inNear := setOf(near, at, parent)
	inFar, inOuter := false, false
	if len(far) > 0 {
		var set levelSet
		set, inFar = setOf(far, at, parent)
		found |= set
	}
	if len(outer) > 0 {
		var set levelSet
		set, inOuter = setOf(outer, at, parent)
		found |= set
	}
	own := at[vertex]
	allowed := own>>1 | own | own<<1
	if v.directed {
		allowed = -max(own>>1, 1) // the level above, all deeper ones, and outside
	}
	if found&^allowed != 0 {
		v.reportLevels(sum, vertex, func(slot uint32) int64 { return at[slot].deepest() })
	}
	return inNear || inFar || inOuter
}

// setOf returns the union of the levels of a row's slots, and whether the row has the slot parent: only the difference
// 0 sets the highest bit. It has no branches on slots, which would be mispredicted. Inlined, its loop would lack
// registers.
//
//go:noinline
func setOf[S slot](row []S, at []levelSet, parent uint32) (set levelSet, joined bool) {
	differences := uint64(0)
	for _, s := range row {
		set |= at[s]
		differences |= uint64(uint32(s)^parent) - 1
	}
	return set, differences>>63 != 0
}

// checkDeep is the rowCheck of levels.
func (v *Validator) checkDeep(sum *tally, vertex int) (confirmed bool) {
	at, own := v.deepLevels.at, int64(v.deepLevels.at[vertex])
	faults := false
	for _, s := range v.slotsOf(vertex) {
		below := int64(at[s]) - own
		faults = faults || below < -1 || below > 1 && !v.directed
		confirmed = confirmed || s == v.parent[vertex]
	}
	if faults {
		v.reportLevels(sum, vertex, func(slot uint32) int64 { return int64(at[slot]+1) - 1 })
	}
	return confirmed
}

// reportLevels reports the worst tuple in a vertex' rows; level returns the level of a slot. Arcs may leave unreached
// vertices, and lead to any level above.
func (v *Validator) reportLevels(sum *tally, vertex int, level func(slot uint32) int64) {
	own := level(uint32(vertex))
	for _, s := range v.slotsOf(vertex) {
		other := level(s)
		levels, below := [2]int64{own, other}, other-own
		switch {
		case v.directed && (other == unreachedLevel || own != unreachedLevel && below >= -1):
		case (own == unreachedLevel) != (other == unreachedLevel):
			sum.report(v.onTuple(ErrSpan, vertex, s, levels))
		case below < -1 || below > 1:
			sum.report(v.onTuple(ErrLevels, vertex, s, levels))
		}
	}
}
