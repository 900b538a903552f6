//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "unsafe"

// ValidatorParts is the device memory that a validator uses; it must outlive the validator. Arrays of all ranks'
// vertices are made of slices, one a rank, of equally many places.
type ValidatorParts struct {
	Ranks, Rank int
	Vertices    int64 // of all ranks

	Slice   int64     // places in a slice, a multiple of ValidatorGrain
	Waiting Memory    // one slice of bits
	Marks   [2]Memory // slices of bits
	Levels  Memory    // slices of four bits a vertex

	Span    int64  // places in a slice of the window, a multiple of ValidatorGrain
	Parents Memory // slices of the window, a 32-bit word a vertex, 64 bits if wide; one rank needs none
	Joined  Memory // slices of the window, of bits

	Wide bool // labels are not all below 2^32-1; shortest paths are not validated then

	Distances Memory // slices, a single-precision number a vertex; only for shortest paths, and one rank needs none
}

// ValidatorGrain divides the places in a slice: 16 bytes of bits.
const ValidatorGrain = 128

// ValidatorLevels is the number of levels, the base's and those below it, that have codes of their own at a time.
const ValidatorLevels = C.G500_VALIDATOR_LEVELS

// Validator checks trees and shortest paths against the edge tuples, on the device, together with the validators of all
// other ranks. Between its steps the caller copies slices to the other ranks. Every step is synchronous. Steps over
// this rank's tuples are called once for each piece of them, which fills a run of memory.
type Validator struct {
	c      *C.g500_validator
	device *Device
	held   *holding
}

// NewValidator prepares the checking of trees.
func (d *Device) NewValidator(p ValidatorParts) (*Validator, error) {
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	parts := C.g500_validator_parts{
		ranks: C.uint32_t(p.Ranks), rank: C.uint32_t(p.Rank), vertices: C.uint64_t(p.Vertices),
		slice: C.uint64_t(p.Slice), span: C.uint64_t(p.Span),
		waiting: pointer[C.uint8_t](p.Waiting.address),
		marks:   [2]*C.uint32_t{words(p.Marks[0]), words(p.Marks[1])},
		levels:  words(p.Levels), parents: unsafe.Pointer(words(p.Parents)), joined: words(p.Joined),
		distances: pointer[C.float](p.Distances.address), wide: yes(p.Wide),
	}
	var c *C.g500_validator
	if err := check("preparing validation", C.g500_validator_create(&parts, &c, d.onStream())); err != nil {
		return nil, d.short(err)
	}
	v := &Validator{c: c, device: d}
	v.held = d.made("validator", before, func() error {
		C.g500_validator_free(c)
		return nil
	})
	return v, nil
}

// words is the address of 32-bit words.
func words(m Memory) *C.uint32_t { return pointer[C.uint32_t](m.address) }

// Free gives the memory back.
func (v *Validator) Free() error { return v.device.ledger.remove(v.held) }

// Rule is a rule that a tree or shortest paths can break.
type Rule int

// The rules, in the order in which they are reported.
const (
	RuleRange    Rule = C.G500_RULE_RANGE
	RuleRoot     Rule = C.G500_RULE_ROOT
	RuleOrphan   Rule = C.G500_RULE_ORPHAN
	RuleCycle    Rule = C.G500_RULE_CYCLE
	RuleLevels   Rule = C.G500_RULE_LEVELS
	RuleSpan     Rule = C.G500_RULE_SPAN
	RuleTreeEdge Rule = C.G500_RULE_TREE_EDGE
	RuleDistance Rule = C.G500_RULE_DISTANCE
	RuleShorter  Rule = C.G500_RULE_SHORTER
	RulePathEdge Rule = C.G500_RULE_PATH_EDGE
	Rules             = C.G500_RULES
)

// NoOffence stands for a rule that is not broken.
const NoOffence = ^uint64(0)

// Findings are what a rank has found and counted since it entered the tree. Worst has for each rule where it is broken:
// the lowest label, or NoOffence. Other has for that label the lowest other one, a parent, all bits of it, or the other
// end of a tuple. The counts are of no use once a rule is broken.
type Findings struct {
	Worst   [Rules]uint64
	Other   [Rules]uint64
	Reached uint64 // vertices in the tree
	Settled uint64 // of them, without the root, those whose levels were found
	Edges   uint64 // tuples in the component, without self-loops
	Loops   uint64 // self-loop tuples in it
}

// FindingsWords is the number of words that findings are made of.
const FindingsWords = int(unsafe.Sizeof(Findings{}) / unsafe.Sizeof(uint64(0)))

// Words are the findings one after the other, as ranks send them.
func (f *Findings) Words() []uint64 { return (*[FindingsWords]uint64)(unsafe.Pointer(f))[:] }

// step calls a step of the validator that returns its findings.
func (v *Validator) step(call string, step func(*C.g500_findings) C.int) (Findings, error) {
	var f Findings
	err := check(call, step((*C.g500_findings)(unsafe.Pointer(&f))))
	return f, err
}

// CheckLabels finds a tuple with a label that is no vertex: Worst[0] and Other[0] are its labels.
func (v *Validator) CheckLabels(tuples Memory) (Findings, error) {
	list, count := edges(tuples)
	return v.step("checking the labels of tuples", func(f *C.g500_findings) C.int {
		return C.g500_validator_check_labels(v.c, list, count, f, v.device.onStream())
	})
}

// Enter begins with the tree of a search from root: parents of 32 or 64 bits of the vertices that this rank owns, which
// stay as they are until the last step. It writes this rank's slices of Marks[0], where the root is marked, and of
// Levels. No other step may follow if any rank has found a broken rule here.
func (v *Validator) Enter(root int64, parents Memory, bits int) (Findings, error) {
	at := pointer[byte](parents.address)
	return v.step("entering a tree", func(f *C.g500_findings) C.int {
		return C.g500_validator_enter(v.c, C.uint64_t(root), unsafe.Pointer(at), C.int(bits), f, v.device.onStream())
	})
}

// Descend finds the vertices whose parents are marked in Marks[from], and marks them in this rank's slice of
// Marks[1-from]. They are that many levels below the base, less than ValidatorLevels. The base is the root's level at
// first.
func (v *Validator) Descend(from, level int) (Findings, error) {
	return v.step("finding a level", func(f *C.g500_findings) C.int {
		return C.g500_validator_descend(v.c, C.int(from), C.uint32_t(level), f, v.device.onStream())
	})
}

// RaiseBase makes the level ValidatorLevels-1 below the base the new base, in this rank's slice of Levels.
func (v *Validator) RaiseBase() error {
	return check("raising the base of levels", C.g500_validator_raise_base(v.c, v.device.onStream()))
}

// MarkReached marks the vertices that have a parent in this rank's slice of Marks[0].
func (v *Validator) MarkReached() error {
	return check("marking the tree", C.g500_validator_mark_reached(v.c, v.device.onStream()))
}

// FindStuck finds, with all ranks' slices of Marks[0] from MarkReached, the vertices whose levels were not found.
func (v *Validator) FindStuck() (Findings, error) {
	return v.step("looking for cycles", func(f *C.g500_findings) C.int {
		return C.g500_validator_find_stuck(v.c, f, v.device.onStream())
	})
}

// OpenWindow begins with the window of the places from first on: it writes this rank's slice of Parents, and clears
// Joined.
func (v *Validator) OpenWindow(first int64) error {
	return check("gathering parents", C.g500_validator_open_window(v.c, C.uint64_t(first), v.device.onStream()))
}

// CheckTuples checks the levels of the tuples, with all ranks' slices of Levels, and joins the vertices of the window
// to their parents. It counts the tuples if count is set.
func (v *Validator) CheckTuples(tuples Memory, count bool) (Findings, error) {
	list, n := edges(tuples)
	counted := C.int(0)
	if count {
		counted = 1
	}
	return v.step("checking tuples", func(f *C.g500_findings) C.int {
		return C.g500_validator_check_tuples(v.c, list, n, counted, f, v.device.onStream())
	})
}

// JoinTuples joins the vertices of the window to their parents, whatever the length of a tuple.
func (v *Validator) JoinTuples(tuples Memory) error {
	list, count := edges(tuples)
	return check("looking for tree edges", C.g500_validator_join_tuples(v.c, list, nil, count, v.device.onStream()))
}

// CheckJoined checks that all of this rank's vertices in the window are joined, and counts offences against that rule:
// joined is its slice of every rank's Joined.
func (v *Validator) CheckJoined(joined Memory, rule Rule) (Findings, error) {
	return v.step("checking tree edges", func(f *C.g500_findings) C.int {
		return C.g500_validator_check_joined(v.c, words(joined), C.int(rule), f, v.device.onStream())
	})
}
