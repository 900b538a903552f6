package validate

import (
	"errors"
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
)

// The rules a tree can break. Kernel 2's output is described in the specification's section "Kernel 2 -
// Breadth-First Search", the numbered rules in its section "Validation".
var (
	ErrRange    = errors.New("kernel 2's output: a parent is a vertex, or -1 where the vertex was not reached")
	ErrRoot     = errors.New("kernel 2's output: the root is its own parent")
	ErrOrphan   = errors.New("rule 1: the tree is one tree, and every parent is in it")
	ErrCycle    = errors.New("rule 1: the tree has no cycles")
	ErrLevels   = errors.New("rule 3: an edge tuple joins vertices whose levels differ by at most one")
	ErrSpan     = errors.New("rules 3 and 4: both ends of an edge tuple are in the tree, or neither")
	ErrTreeEdge = errors.New("rule 5: a vertex and its parent are joined by an edge tuple")

	ErrDistance = errors.New("kernel 3's output: the root's distance is 0, that of a vertex that was not reached -1, " +
		"and any other a number from 0 on")
	ErrShorter  = errors.New("rule 3 of kernel 3: no edge tuple makes a path to one of its ends shorter")
	ErrPathEdge = errors.New("rule 2 of kernel 3: the distance of a vertex is its parent's plus the weight of an edge " +
		"tuple that joins them")
)

// Verdict is the result of checking one tree, or the shortest paths of one search. The counts are of
// the whole job, and zero if there is a Fault.
type Verdict struct {
	// Fault is nil for a right tree; else a *Fault that wraps the rule.
	Fault error
	// Edges is the number of edge tuples in the traversed component: duplicates count, self-loops do not.
	Edges int64
	// EdgesWithLoops is the same with self-loops.
	EdgesWithLoops int64
	// Reached is the number of vertices in the tree, the root included.
	Reached int64
	// Levels is the number of levels of the tree, the root's included.
	Levels int
}

// Fault is one broken rule, shown on the lowest label that breaks it. Faults of levels and edges are looked for
// only in what is otherwise a tree, and of several broken rules the first in the order above is told.
type Fault struct {
	// Rule is the broken rule, one of this package's errors.
	Rule error
	// Vertex is the offending vertex; for a rule on edge tuples it is the lower end of the lowest pair.
	Vertex graph.Global
	// Other is what stands as Vertex's parent; for a rule on edge tuples it is the tuple's other end.
	Other graph.Global

	detail string
}

// Error tells the rule and where it is broken.
func (f *Fault) Error() string { return fmt.Sprintf("validate: %v; %s", f.Rule, f.detail) }

// Unwrap gives the broken rule to errors.Is.
func (f *Fault) Unwrap() error { return f.Rule }

// rule numbers the rules in the order in which they are told.
type rule uint64

const (
	ruleRange rule = iota
	ruleRoot
	ruleOrphan
	ruleCycle
	ruleLevels
	ruleSpan
	ruleTreeEdge
	ruleDistance
	ruleShorter
	rulePathEdge
	noRule // nothing found
)

// sentinels are the rules as the caller knows them.
var sentinels = [noRule]error{
	ruleRange: ErrRange, ruleRoot: ErrRoot, ruleOrphan: ErrOrphan, ruleCycle: ErrCycle,
	ruleLevels: ErrLevels, ruleSpan: ErrSpan, ruleTreeEdge: ErrTreeEdge,
	ruleDistance: ErrDistance, ruleShorter: ErrShorter, rulePathEdge: ErrPathEdge,
}

// NewFault is a fault that another validator has found, in the words of this one: rule is one of this package's
// errors. It does not tell levels.
func NewFault(rule error, vertex, other graph.Global) *Fault {
	return newFault(rule, finding{vertex: vertex, other: other, levels: [2]int64{unknownLevel, unknownLevel}})
}

// NewDistanceFault is NewFault for ErrDistance: a vertex with that parent, which may be none, has that distance.
func NewDistanceFault(vertex, parent graph.Global, distance float32) *Fault {
	bits := int64(math.Float32bits(distance))
	return newFault(ErrDistance, finding{vertex: vertex, other: parent, levels: [2]int64{bits}})
}

func newFault(rule error, f finding) *Fault {
	for f.rule = 0; sentinels[f.rule] != rule; f.rule++ {
	}
	return &Fault{rule, f.vertex, f.other, f.detail()}
}

// finding is a fault as a worker finds it and as ranks compare it.
type finding struct {
	rule   rule
	vertex graph.Global
	other  graph.Global
	// levels are those of vertex and other, unreachedLevel where not in the tree, for the rules on levels; for
	// ruleDistance the first has the bits of the distance of vertex.
	levels [2]int64
}

// What stands in a finding for the level of a vertex outside the tree, and for one that is not known.
const (
	unreachedLevel = -1
	unknownLevel   = -2
)

var nothing = finding{rule: noRule}

// worse returns the finding to be told of two: the earlier rule, then the lower labels.
func worse(a, b finding) finding {
	switch {
	case a.rule != b.rule:
		if a.rule < b.rule {
			return a
		}
	case a.vertex != b.vertex:
		if a.vertex < b.vertex {
			return a
		}
	case a.other < b.other:
		return a
	}
	return b
}

// agree makes one finding of those of all ranks, the same everywhere.
func agree(t comm.Transport, mine finding) (finding, error) {
	const width = 5
	words := make([]uint64, t.Size()*width)
	copy(words[t.Rank()*width:], []uint64{uint64(mine.rule), uint64(mine.vertex), uint64(mine.other),
		uint64(mine.levels[0]), uint64(mine.levels[1])})
	if err := t.AllGather(words); err != nil {
		return nothing, err
	}
	found := nothing
	for ; len(words) > 0; words = words[width:] {
		levels := [2]int64{int64(words[3]), int64(words[4])}
		found = worse(found, finding{rule(words[0]), graph.Global(words[1]), graph.Global(words[2]), levels})
	}
	return found, nil
}

// verdict puts a finding into words.
func (f finding) verdict() Verdict {
	if f.rule == noRule {
		return Verdict{}
	}
	return Verdict{Fault: &Fault{sentinels[f.rule], f.vertex, f.other, f.detail()}}
}

func (f finding) detail() string {
	switch f.rule {
	case ruleRange:
		return fmt.Sprintf("vertex %d has %d", f.vertex, f.other)
	case ruleRoot:
		return fmt.Sprintf("root %d has the parent %d", f.vertex, f.other)
	case ruleOrphan:
		return fmt.Sprintf("vertex %d has the parent %d, which was not reached", f.vertex, f.other)
	case ruleCycle:
		return fmt.Sprintf("from vertex %d and its parent %d on, parents never lead to the root", f.vertex, f.other)
	case ruleLevels:
		if f.levels[0] == unknownLevel {
			return fmt.Sprintf("tuple <%d, %d> joins levels farther apart", f.vertex, f.other)
		}
		return fmt.Sprintf("tuple <%d, %d> joins levels %d and %d", f.vertex, f.other, f.levels[0], f.levels[1])
	case ruleSpan:
		if f.levels[0] == unknownLevel {
			return fmt.Sprintf("tuple <%d, %d>: one end was reached and the other was not", f.vertex, f.other)
		}
		in, out := f.vertex, f.other
		if f.levels[0] == unreachedLevel {
			in, out = out, in
		}
		return fmt.Sprintf("tuple <%d, %d>: vertex %d was reached and %d was not", f.vertex, f.other, in, out)
	case ruleDistance:
		return fmt.Sprintf("vertex %d with the parent %d has the distance %g", f.vertex, f.other,
			math.Float32frombits(uint32(f.levels[0])))
	case ruleShorter:
		return fmt.Sprintf("tuple <%d, %d> is a shorter way to one of its ends", f.vertex, f.other)
	case rulePathEdge:
		return fmt.Sprintf("vertex %d has the parent %d, and no tuple between them has the length of the difference",
			f.vertex, f.other)
	}
	return fmt.Sprintf("vertex %d has the parent %d, and no tuple joins them", f.vertex, f.other)
}
