package validate

import (
	"fmt"

	"g500/graph"
)

// Tree checks the breadth-first tree of one search from root: parents has the parent's label, or graph.NoParent, of
// every owned vertex in label order. Tree is collective. A broken rule is a verdict, the same on every rank. The error
// is of the transport, or names arguments that are not a tree.
func (v *Validator) Tree(root graph.Global, parents []graph.Global) (Verdict, error) {
	tree, found, err := v.climb(root, parents)
	switch {
	case found.rule != noRule || err != nil:
		return found.verdict(), err
	case tree.deepest <= deepestOf[uint8]():
		return checkLevels(v, &v.levels, tree)
	case tree.deepest <= deepestOf[uint32]():
		return checkLevels(v, &v.deepLevels, tree)
	}
	return Verdict{}, fmt.Errorf("validate: the tree has %d levels; at most %d can be checked",
		tree.deepest+1, deepestOf[uint32]()+1)
}

// level is the type of stored levels while tuples are checked. Eight bits suffice for the trees of official graphs.
type level interface{ uint8 | uint32 }

// unreached is the level of a vertex that is not in the tree. It is more than one above any level.
func unreached[L level]() L { return ^L(0) }

// deepestOf returns the largest level that an L can represent, such that unreached is more than one above it.
func deepestOf[L level]() int64 { return int64(unreached[L]()) - 2 }

// checkLevels checks a tree by the rules on the levels of both ends of tuples.
func checkLevels[L level](v *Validator, levels *values[L], tree tree) (Verdict, error) {
	err := levels.load(v, func(values []L, lo int) {
		for i, a := range v.climber.up[lo : lo+len(values)] {
			values[i] = unreached[L]()
			if a.at != noVertex {
				values[i] = L(a.hops)
			}
		}
	})
	if err != nil {
		return Verdict{}, err
	}
	return check(v, rules[L]{levels.at, unreached[L](), levelsOfRow(v, levels.at)}, tree)
}

// levelsOfRow returns the check of a row, given the levels. It only looks for levels that are too large: the end closer
// to the root finds a tuple that spans too many levels. unreached is larger than any level.
func levelsOfRow[L level](v *Validator, at []L) rowCheck {
	return func(sum *tally, vertex int, row []uint32, parent uint32) bool {
		joined, largest := false, L(0)
		for _, s := range row {
			largest = max(largest, at[s])
			if s == parent {
				joined = true
			}
		}
		if largest > at[vertex]+1 {
			sum.report(spanFinding(v, at, vertex, row))
		}
		return joined
	}
}

// spanFinding returns the finding on the worst tuple of a row.
func spanFinding[L level](v *Validator, at []L, vertex int, row []uint32) finding {
	worst := noFault
	for _, s := range row {
		switch {
		case at[s] == unreached[L]():
			worst = worse(worst, v.onTuple(ruleSpan, vertex, s, [2]int64{int64(at[vertex]), unreachedLevel}))
		case at[s] > at[vertex]+1:
			worst = worse(worst, v.onTuple(ruleLevels, vertex, s, [2]int64{int64(at[vertex]), int64(at[s])}))
		}
	}
	return worst
}
