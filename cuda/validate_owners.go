// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "unsafe"

// OwnerValidator validates trees against the edge tuples by messages to the owners of vertices. Its steps are
// synchronous. Methods named Bin write messages by receiving rank, as Bins does.
type OwnerValidator struct {
	Allocated
	c *C.g500_owner_validator
}

// NewOwnerValidator prepares validation. It has no slices and no window: of the memory of the parts it needs Levels, of
// four bytes for each vertex of this rank, and Joined, of one bit for each, in 32-bit words.
func (d *Device) NewOwnerValidator(p ValidatorParts) (v *OwnerValidator, err error) {
	parts := p.forC()
	v = &OwnerValidator{}
	v.Allocated, err = d.Allocate("validator", func() error {
		return check("preparing validation", C.g500_owner_validator_create(&parts, &v.c, d.onStream()))
	}, func() { C.g500_owner_validator_free(v.c) })
	return v, err
}

// Enter begins to validate a tree, as Validator.Enter. No step may follow if any rank finds a broken rule.
func (v *OwnerValidator) Enter(root int64, parents Memory, bits int) (f Findings, err error) {
	at := pointer[byte](parents.address)
	code := C.g500_owner_enter(v.c, C.uint64_t(root), unsafe.Pointer(at), C.int(bits), f.forC())
	return f, check("entering a tree", code)
}

// BinParents makes Messages32: a query to the owner of the parent of each vertex without a level, from number first to
// first+count-1.
func (v *OwnerValidator) BinParents(b *Bins, first, count int64, into Memory) (bytes []int64, err error) {
	to := array[C.uint64_t](into, 0, count)
	code := C.g500_owner_bin_parents(v.c, b.c, C.uint64_t(first), C.uint64_t(count), to, &b.counts[0])
	return b.filled(Messages32, code)
}

// ReplyLevels turns queries into replies, in place.
func (v *OwnerValidator) ReplyLevels(queries Memory) error {
	list, n := messages32(queries)
	return check("replying to queries", C.g500_owner_reply_levels(v.c, list, n))
}

// TakeLevels gives vertices their levels. Sizes[0] of the findings is the number of vertices that have got one since
// Enter, Sizes[1] the deepest level.
func (v *OwnerValidator) TakeLevels(replies Memory) (f Findings, err error) {
	list, n := messages32(replies)
	code := C.g500_owner_take_levels(v.c, list, n, f.forC())
	return f, check("finding levels", code)
}

// TakeStuck finds why the vertices with these replies have no level.
func (v *OwnerValidator) TakeStuck(replies Memory) (f Findings, err error) {
	list, n := messages32(replies)
	code := C.g500_owner_take_stuck(v.c, list, n, f.forC())
	return f, check("looking for cycles", code)
}

// BinTuples makes TupleMessages for the owners of the second ends of tuples.
func (v *OwnerValidator) BinTuples(b *Bins, tuples, into Memory) (bytes []int64, err error) {
	first, n := edges(tuples)
	code := C.g500_owner_bin_tuples(v.c, b.c, first, n, array[C.g500_wide_message](into, 0, int64(n)), &b.counts[0])
	return b.filled(TupleMessages, code)
}

// ForwardTuples adds levels to received tuples, and joins vertices to their parents.
func (v *OwnerValidator) ForwardTuples(received Memory) error {
	list, n := tupleMessages(received)
	return check("finding levels of tuples", C.g500_owner_forward_tuples(v.c, list, n))
}

// BinForwarded makes TupleMessages for the owners of the first ends, of tuples after ForwardTuples.
func (v *OwnerValidator) BinForwarded(b *Bins, received, into Memory) (bytes []int64, err error) {
	from, n := tupleMessages(received)
	to := array[C.g500_wide_message](into, 0, int64(n))
	code := C.g500_owner_bin_forwarded(v.c, b.c, from, n, to, &b.counts[0])
	return b.filled(TupleMessages, code)
}

// CheckTuples checks the levels of forwarded tuples, counts them, and joins vertices to their parents.
func (v *OwnerValidator) CheckTuples(forwarded Memory) (f Findings, err error) {
	list, n := tupleMessages(forwarded)
	code := C.g500_owner_check_tuples(v.c, list, n, f.forC())
	return f, check("checking tuples", code)
}

// CheckJoined checks that a tuple joins each vertex of this rank in the tree to its parent.
func (v *OwnerValidator) CheckJoined() (f Findings, err error) {
	code := C.g500_owner_check_joined(v.c, f.forC())
	return f, check("checking tree edges", code)
}

// messages32 returns the Messages32 that fill a memory.
func messages32(m Memory) (*C.uint64_t, C.uint64_t) {
	return pointer[C.uint64_t](m.address), C.uint64_t(m.bytes / Messages32.Bytes())
}

// tupleMessages returns the TupleMessages that fill a memory.
func tupleMessages(m Memory) (*C.g500_wide_message, C.uint64_t) {
	return pointer[C.g500_wide_message](m.address), C.uint64_t(m.bytes / TupleMessages.Bytes())
}
