// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"cmp"
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
)

// Rule is a rule that a result can break, as an error. The specification describes the output of kernel 2 in section
// "Kernel 2 - Breadth-First Search", and the numbered rules in section "Validation".
type Rule uint64

// The rules, with the same numbers as on devices. Of several broken ones, the first is reported.
const (
	ErrRange Rule = iota + 1
	ErrRoot
	ErrOrphan
	ErrCycle
	ErrLevels
	ErrSpan
	ErrTreeEdge
	ErrDistance
	ErrShorter
	ErrPathEdge
	noRule       // no rule is broken
	ErrArcLevels // in a directed graph, in place of ErrLevels
	ErrArcSpan   // in place of ErrSpan
	ErrArcParent // in place of ErrTreeEdge
)

// arcRules has the rules on arcs in place of rules on tuples.
var arcRules = map[Rule]Rule{ErrLevels: ErrArcLevels, ErrSpan: ErrArcSpan, ErrTreeEdge: ErrArcParent}

// texts has each rule, and a format for the two vertices of a fault.
var texts = [...]struct{ rule, detail string }{
	ErrRange: {"output of the search: a parent is a vertex, or -1 if the vertex was not reached", "vertex %d has %d"},
	ErrRoot:  {"output of the search: the root is its own parent", "root %d has the parent %d"},
	ErrOrphan: {"rule 1: the tree is one tree, and every parent is in it",
		"vertex %d has the parent %d, which was not reached"},
	ErrCycle: {"rule 1: the tree has no cycles",
		"from vertex %d and its parent %d on, parents never lead to the root"},
	ErrLevels: {"rule 3: an edge tuple joins vertices whose levels differ by at most one",
		"tuple <%d, %d> joins levels that differ by more"},
	ErrSpan: {"rules 3 and 4: both ends of an edge tuple are in the tree, or neither",
		"tuple <%d, %d>: one end was reached and the other was not"},
	ErrTreeEdge: {"rule 5: a vertex and its parent are joined by an edge tuple",
		"vertex %d has the parent %d, and no tuple joins them"},
	ErrArcLevels: {"rule 3 in a directed graph: an arc enters a level at most one beyond the level that it leaves",
		"arc <%d, %d> skips levels"},
	ErrArcSpan: {"rules 3 and 4 in a directed graph: if the search reached the source of an arc, it reached the target",
		"arc <%d, %d>: the source was reached and the target was not"},
	ErrArcParent: {"rule 5 in a directed graph: an arc leads to each vertex from its parent",
		"vertex %d has the parent %d, and no arc leads from it"},
	ErrDistance: {"kernel 3's output: the root's distance is 0, the distance of an unreached vertex is -1, " +
		"and any other is a number from 0 on", "vertex %d with the parent %d has the distance"},
	ErrShorter: {"rule 3 of kernel 3: no edge tuple makes a path to one of its ends shorter",
		"tuple <%d, %d> makes the path to one of its ends shorter"},
	ErrPathEdge: {"rule 2 of kernel 3: the distance of a vertex is its parent's plus the weight of an edge tuple that " +
		"joins them", "vertex %d has the parent %d, and no tuple between them has the length of the difference"},
}

// Error returns the rule in words.
func (r Rule) Error() string { return texts[r].rule }

// Verdict is the result of checking the tree or the shortest paths of one search. The counts are sums over all ranks,
// and zero if there is a Fault.
type Verdict struct {
	Fault error // nil for a valid result; else a *Fault that wraps the rule
	// Edges is the number of edge tuples in the traversed component, with duplicates, without self-loops. In a directed
	// graph, it is the number of arcs that leave reached vertices.
	Edges          int64
	EdgesWithLoops int64 // the same with self-loops
	Reached        int64 // vertices in the tree, including the root
	Levels         int   // of the tree, including the root's
}

// Fault is one broken rule, shown on the lowest label that breaks it. Faults of levels and edges are only searched if
// the parents are a tree; of several broken rules, Fault has the first.
type Fault struct {
	Rule   Rule
	Vertex graph.Global // the vertex that breaks the rule; for a rule on edge tuples, the lower end of the lowest pair
	Other  graph.Global // the parent of Vertex; for a rule on edge tuples, the tuple's other end
	levels [2]int64     // of both, for rules on levels; for ErrDistance the first has the bits of the distance
}

// Levels of a fault that are not levels.
const (
	unreachedLevel = -1 // of a vertex outside the tree
	unknownLevel   = -2
)

var noFault = Fault{Rule: noRule}

// NewFault returns a fault that another validator has found, by a rule on tuples, in a graph that may be directed. Its
// text has no levels.
func NewFault(rule Rule, vertex, other graph.Global, directed bool) *Fault {
	return Fault{rule, vertex, other, [2]int64{unknownLevel, unknownLevel}}.in(directed)
}

// NewDistanceFault is NewFault for ErrDistance: the vertex has the distance, and the parent, which may be
// graph.NoParent.
func NewDistanceFault(vertex, parent graph.Global, distance float32) *Fault {
	return &Fault{ErrDistance, vertex, parent, [2]int64{int64(math.Float32bits(distance))}}
}

// in returns the fault with the rule on arcs, if the graph is directed and has another rule on them.
func (f Fault) in(directed bool) *Fault {
	if rule, differs := arcRules[f.Rule]; directed && differs {
		f.Rule = rule
	}
	return &f
}

// verdict returns the verdict of a fault that all ranks have found, or of none.
func (v *Validator) verdict(found Fault) Verdict {
	if found.Rule == noRule {
		return Verdict{}
	}
	return Verdict{Fault: found.in(v.directed)}
}

// worse returns the fault of two that is reported: the earlier rule, then the lower labels.
func worse(a, b Fault) Fault {
	if cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.Other, b.Other)) < 0 {
		return a
	}
	return b
}

// agree returns the worst fault of all ranks, on all ranks.
func agree(t comm.Transport, mine Fault) (Fault, error) {
	const width = 5
	words := make([]uint64, t.Size()*width)
	copy(words[t.Rank()*width:], []uint64{uint64(mine.Rule), uint64(mine.Vertex), uint64(mine.Other),
		uint64(mine.levels[0]), uint64(mine.levels[1])})
	if err := t.AllGather(words); err != nil {
		return noFault, err
	}
	found := noFault
	for ; len(words) > 0; words = words[width:] {
		levels := [2]int64{int64(words[3]), int64(words[4])}
		found = worse(found, Fault{Rule(words[0]), graph.Global(words[1]), graph.Global(words[2]), levels})
	}
	return found, nil
}

// Unwrap returns the broken rule.
func (f *Fault) Unwrap() error { return f.Rule }

// Error returns the rule and its violation.
func (f *Fault) Error() string { return fmt.Sprintf("validate: %v; %s", f.Rule, f.detail()) }

// detail describes the violation.
func (f *Fault) detail() string {
	text := fmt.Sprintf(texts[f.Rule].detail, f.Vertex, f.Other)
	switch {
	case f.Rule == ErrDistance:
		return fmt.Sprintf("%s %g", text, math.Float32frombits(uint32(f.levels[0])))
	case f.levels[0] == unknownLevel:
	case f.Rule == ErrArcLevels:
		return fmt.Sprintf("arc <%d, %d> leads from level %d to level %d", f.Vertex, f.Other, f.levels[0], f.levels[1])
	case f.Rule == ErrLevels:
		return fmt.Sprintf("tuple <%d, %d> joins levels %d and %d", f.Vertex, f.Other, f.levels[0], f.levels[1])
	case f.Rule == ErrSpan && f.levels[0] == unreachedLevel:
		return fmt.Sprintf("tuple <%d, %d>: vertex %[2]d was reached and %[1]d was not", f.Vertex, f.Other)
	case f.Rule == ErrSpan:
		return fmt.Sprintf("tuple <%d, %d>: vertex %[1]d was reached and %[2]d was not", f.Vertex, f.Other)
	}
	return text
}
