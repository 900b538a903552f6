//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// Judge checks trees against the edge tuples, on the device.
type Judge struct {
	c      *C.g500_judge
	device *Device
	held   *holding
}

// NewJudge prepares count tuples of a graph with that many vertices. They must outlive the judge.
func (d *Device) NewJudge(tuples *Buffer, count, vertices int64) (*Judge, error) {
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	var c *C.g500_judge
	if err := check("preparing validation", C.g500_judge_create(pointer[C.g500_edge](tuples.address), C.uint64_t(count),
		C.uint64_t(vertices), &c, d.onStream())); err != nil {
		return nil, d.short(err)
	}
	j := &Judge{c: c, device: d}
	j.held = d.made("judge", before, func() error {
		C.g500_judge_free(c)
		return nil
	})
	return j, nil
}

// Free gives the memory back.
func (j *Judge) Free() error { return j.device.ledger.remove(j.held) }

// Rule is a rule that a tree can break.
type Rule int

// The rules, in the order in which they are checked.
const (
	NoRule       Rule = 0 // none is broken
	RuleRange    Rule = C.G500_RULE_RANGE
	RuleRoot     Rule = C.G500_RULE_ROOT
	RuleTree     Rule = C.G500_RULE_TREE
	RuleLevels   Rule = C.G500_RULE_LEVELS
	RuleSpan     Rule = C.G500_RULE_SPAN
	RuleTreeEdge Rule = C.G500_RULE_TREE_EDGE
)

// Verdict is the judgement on one tree.
type Verdict struct {
	Rule    Rule
	U, V    int64 // the labels concerned: a vertex and its parent, or the ends of a tuple
	Edges   int64 // tuples in the component, without self-loops
	Loops   int64 // self-loop tuples in it
	Reached int64 // vertices in the tree
	Levels  int
}

// Tree judges the tree of a search from root: one 32-bit parent for each label.
func (j *Judge) Tree(root int64, parents Memory) (Verdict, error) {
	var c C.g500_verdict
	err := check("judging a tree", C.g500_judge_tree(j.c, C.uint64_t(root), pointer[C.uint32_t](parents.address), &c, j.device.onStream()))
	return Verdict{Rule(c.rule), int64(c.u), int64(c.v), int64(c.edges), int64(c.loops), int64(c.reached), int(c.levels)}, err
}
