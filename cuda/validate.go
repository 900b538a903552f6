// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "unsafe"

// ValidatorParts has the layout and the device memory of a validator, which the caller keeps until Free. Arrays of all
// ranks' vertices consist of one slice per rank, of equal lengths.
type ValidatorParts struct {
	Ranks, Rank int
	Vertices    int64 // of all ranks

	Slice  int64     // vertices of a slice, a multiple of ValidatorGrain
	Inner  Memory    // one slice, one bit per vertex
	Leaves Memory    // one slice, one bit per vertex
	Marks  [2]Memory // slices, one bit per vertex
	Levels Memory    // slices, four bits per vertex
	Near   Memory    // slices, two bits per vertex; empty if Labels64

	Span    int64  // vertices of a slice of the window, a multiple of ValidatorGrain
	Parents Memory // slices of the window, 32 bits per vertex, 64 if Labels64; empty on one rank
	Reached Memory // slices of the window, one bit per vertex; empty on one rank
	Hints   Memory // slices of the window, one byte per vertex
	Joined  Memory // slices of the window, one bit per vertex

	Labels64 bool // labels may exceed 2^32-2; shortest paths cannot be validated then
	Directed bool // tuples <u, v> are edges from u to v

	Distances Memory // slices, single precision; empty on one rank and without shortest paths
}

// ValidatorGrain is the granularity of slices: 16 bytes of bits.
const ValidatorGrain = 128

// ValidatorLevels is the number of levels, from the base down, that have their own codes at a time.
const ValidatorLevels = C.G500_VALIDATOR_LEVELS

// Validator validates trees and shortest paths against the edge tuples on the devices of all ranks. Between its steps,
// which are synchronous, the caller copies slices to the other ranks. Steps with tuples are called for each piece of
// this rank's tuples, which are as SortTuples leaves them unless Labels64 is set.
type Validator struct {
	Allocated
	c     *C.g500_validator
	tuple int64 // bytes
}

// SortTuples sorts tuples with labels of at most 32 bits, and their weights unless these are empty, so that validation
// finds most levels and distances in caches. The order of the labels in a tuple stays if the tuples are directed.
// Afterwards the tuples are two 32-bit labels each, at the front of their memory. It allocates at most work bytes for
// the time of the call; with less than 25 per tuple, it sorts the tuples in pieces.
func (d *Device) SortTuples(tuples, weights Memory, directed bool, labelBits int, work int64) error {
	first, count := edges(tuples)
	list := C.g500_tuple_list{d_edges: first, d_weights: weightsOf(count, weights), count: count, directed: yes(directed)}
	code := C.g500_sort_tuples(&list, C.int(labelBits), C.uint64_t(work), d.onStream())
	return check("sorting edge tuples", code)
}

// forC returns the parts in C's format.
func (p ValidatorParts) forC() C.g500_validator_parts {
	return C.g500_validator_parts{
		ranks: C.uint32_t(p.Ranks), rank: C.uint32_t(p.Rank), vertices: C.uint64_t(p.Vertices),
		slice: C.uint64_t(p.Slice), span: C.uint64_t(p.Span),
		inner: pointer[C.uint8_t](p.Inner.address), leaves: pointer[C.uint8_t](p.Leaves.address),
		marks:  [2]*C.uint32_t{words(p.Marks[0]), words(p.Marks[1])},
		levels: words(p.Levels), near: words(p.Near),
		parents: unsafe.Pointer(words(p.Parents)), reached: words(p.Reached), joined: words(p.Joined),
		hints:     pointer[C.uint8_t](p.Hints.address),
		distances: pointer[C.float](p.Distances.address), labels64: yes(p.Labels64),
		directed: yes(p.Directed),
	}
}

// NewValidator prepares validation.
func (d *Device) NewValidator(p ValidatorParts) (v *Validator, err error) {
	parts := p.forC()
	v = &Validator{tuple: Edge32Bytes}
	if p.Labels64 {
		v.tuple = edgeBytes
	}
	v.Allocated, err = d.Allocate("validator", func() error {
		return check("preparing validation", C.g500_validator_create(&parts, &v.c, d.onStream()))
	}, func() { C.g500_validator_free(v.c) })
	return v, err
}

// edges returns the tuples that fill a memory.
func (v *Validator) edges(m Memory) (unsafe.Pointer, C.uint64_t) {
	return unsafe.Pointer(pointer[byte](m.address)), C.uint64_t(m.bytes / v.tuple)
}

// words returns the address of 32-bit words.
func words(m Memory) *C.uint32_t { return pointer[C.uint32_t](m.address) }

// Rules is the number after the highest rule of package validate.
const Rules = C.G500_RULES

// NoOffence is the Worst label of a rule that no vertex breaks.
const NoOffence = ^uint64(0)

// Findings has the broken rules and the counts of a rank since Enter. Worst has the lowest label that breaks each rule,
// or NoOffence. Other has the lowest label in conflict with it: a parent, with all its bits, or the other end of a
// tuple. The counts are meaningless after a rule is broken.
type Findings struct {
	Worst   [Rules]uint64
	Other   [Rules]uint64
	Reached uint64                  // vertices in the tree
	Edges   uint64                  // tuples in the component, without self-loops
	Loops   uint64                  // self-loop tuples in the component
	Sizes   [ValidatorLevels]uint64 // vertices on each level from the base down, except the base
}

// FindingsWords is the number of 64-bit words of Findings.
const FindingsWords = int(unsafe.Sizeof(Findings{}) / unsafe.Sizeof(uint64(0)))

// Words returns the findings as words, which share their memory.
func (f *Findings) Words() []uint64 { return (*[FindingsWords]uint64)(unsafe.Pointer(f))[:] }

// forC returns the findings for C functions.
func (f *Findings) forC() *C.g500_findings { return (*C.g500_findings)(unsafe.Pointer(f)) }

// CheckLabels finds a tuple with a label outside the graph: Worst[0] and Other[0] are its labels.
func (v *Validator) CheckLabels(tuples Memory) (f Findings, err error) {
	list, count := edges(tuples)
	code := C.g500_validator_check_labels(v.c, list, count, f.forC())
	return f, check("checking the labels of tuples", code)
}

// Enter begins to validate the tree of a search from root. parents has the 32-bit or 64-bit parents of owned vertices,
// which must not change until the last step. Enter writes this rank's slice of Levels, and marks the parents in all
// slices of Marks[1]. No step may follow if any rank finds a broken rule.
func (v *Validator) Enter(root int64, parents Memory, bits int) (f Findings, err error) {
	at := pointer[byte](parents.address)
	code := C.g500_validator_enter(v.c, C.uint64_t(root), unsafe.Pointer(at), C.int(bits), f.forC())
	return f, check("entering a tree", code)
}

// SeparateInner divides the vertices into inner ones, which have children, and leaves, and writes the root's mark in
// this rank's slice of Marks[0]. inner has this rank's slice of every rank's Marks[1]; it may be Marks[0].
func (v *Validator) SeparateInner(inner Memory) error {
	return check("finding inner vertices", C.g500_validator_separate_inner(v.c, words(inner)))
}

// Descend marks the inner vertices whose parents are marked in Marks[from] in this rank's slice of Marks[1-from]. Their
// level is level, below ValidatorLevels, counted from the base, which is the root's level at first.
func (v *Validator) Descend(from, level int) (f Findings, err error) {
	code := C.g500_validator_descend(v.c, C.int(from), C.uint32_t(level), f.forC())
	return f, check("finding a level", code)
}

// SettleLeaves finds the levels of the leaves whose parents have a level before the last one, with all slices of
// Levels.
func (v *Validator) SettleLeaves() (f Findings, err error) {
	code := C.g500_validator_settle_leaves(v.c, f.forC())
	return f, check("finding the levels of leaves", code)
}

// RaiseBase makes level ValidatorLevels-1 the new base, in this rank's slice of Levels, and clears Sizes.
func (v *Validator) RaiseBase() error {
	return check("raising the base of levels", C.g500_validator_raise_base(v.c))
}

// MarkReached marks the vertices that have a parent in this rank's slice of Marks[0].
func (v *Validator) MarkReached() error {
	return check("marking the tree", C.g500_validator_mark_reached(v.c))
}

// FindStuck finds the reached vertices without a level, from all slices of MarkReached's Marks[0].
func (v *Validator) FindStuck() (f Findings, err error) {
	code := C.g500_validator_find_stuck(v.c, f.forC())
	return f, check("looking for cycles", code)
}

// OpenWindow moves the window to the vertices from number first of each slice on. On several ranks it writes this
// rank's slice of Reached.
func (v *Validator) OpenWindow(first int64) error {
	return check("opening a window", C.g500_validator_open_window(v.c, C.uint64_t(first)))
}

// NumberParents returns the number of parents in this rank's slice of the window, with all slices of Reached.
func (v *Validator) NumberParents() (int64, error) {
	var count C.uint64_t
	code := C.g500_validator_number_parents(v.c, &count)
	return int64(count), check("numbering parents", code)
}

// PackParents writes these to Parents, in which each rank has stride parents. It does not wait for the device.
func (v *Validator) PackParents(stride int64) error {
	return check("packing parents", C.g500_validator_pack_parents(v.c, C.uint64_t(stride)))
}

// HintParents writes Hints, with the Parents of all ranks, and clears Joined. It does not wait for the device.
func (v *Validator) HintParents() error {
	return check("hinting at parents", C.g500_validator_hint_parents(v.c))
}

// NarrowLevels writes Near, unless Labels64, with all slices of Levels, for CheckTuples, which is fast if most tuples
// join vertices on the levels first to first+2 below the base. It does not wait for the device.
func (v *Validator) NarrowLevels(first int) error {
	return check("narrowing levels", C.g500_validator_narrow_levels(v.c, C.uint32_t(first)))
}

// CheckTuples checks that the levels of each tuple's ends differ by at most one, with all slices of Levels, and marks
// the vertices of the window that a tuple joins to their parents. It counts the tuples if count is set.
func (v *Validator) CheckTuples(tuples Memory, count bool) (f Findings, err error) {
	list, n := v.edges(tuples)
	code := C.g500_validator_check_tuples(v.c, list, n, yes(count), f.forC())
	return f, check("checking tuples", code)
}

// JoinTuples marks the vertices of the window that a tuple joins to their parents. If weights is not empty, the weight
// must be the difference of their distances.
func (v *Validator) JoinTuples(tuples, weights Memory) error {
	list, count := v.edges(tuples)
	code := C.g500_validator_join_tuples(v.c, list, weightsOf(count, weights), count)
	return check("looking for tree edges", code)
}

// CheckJoined checks that all of this rank's vertices in the window are marked, and reports others under rule. joined
// has this rank's slice of every rank's Joined.
func (v *Validator) CheckJoined(joined Memory, rule int) (f Findings, err error) {
	code := C.g500_validator_check_joined(v.c, words(joined), C.int(rule), f.forC())
	return f, check("checking tree edges", code)
}

// CheckDistances checks the distances of owned vertices after Enter and Descend, and writes this rank's slice of
// Distances. The distances must not change until the last step. No step may follow if any rank finds a broken rule.
func (v *Validator) CheckDistances(distances Memory) (f Findings, err error) {
	code := C.g500_validator_check_distances(v.c, pointer[C.float](distances.address), f.forC())
	return f, check("checking distances", code)
}

// CheckPathTuples checks that no tuple shortens a path, with all slices of Distances, marks the vertices of the window
// as JoinTuples does, and counts the tuples.
func (v *Validator) CheckPathTuples(tuples, weights Memory) (f Findings, err error) {
	list, count := v.edges(tuples)
	code := C.g500_validator_check_path_tuples(v.c, (*C.g500_edge32)(list), weightsOf(count, weights), count, f.forC())
	return f, check("checking tuples", code)
}
