// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

// #include "mpi_few.h"
import "C"

import "unsafe"

// Short collectives of few ranks take one round, in which every rank sends to every other one. An MPI library takes a
// logarithmic number of rounds or more, which needs fewer messages but more time, if latencies are long or if ranks
// share cores.

// fewRanks is the largest number of ranks for one round. A variable for tests.
var fewRanks = 16

// shortBlock is the largest number of words per rank for one round. In one round the blocks cross the network once per
// rank of a node; in a library's ring they cross it once per node.
const shortBlock = 2 << 10

// few reports whether a collective with this number of words per rank takes one round.
func (t *mpiRank) few(words int) bool {
	return t.size <= fewRanks && words <= shortBlock && words <= mpiCut
}

// gatherFew is AllGather in one round.
func (t *mpiRank) gatherFew(words []uint64) error {
	if len(words) == 0 {
		return nil
	}
	return mpiError("AllGather", C.g500_gather_few(t.own.handle, C.int(t.rank), C.int(t.size),
		(*C.char)(unsafe.Pointer(&words[0])), C.int(8*len(words)/t.size)))
}

// reduceFew is AllReduce in one round. All ranks combine the values in the same order.
func (t *mpiRank) reduceFew(vals []int64, op Op) error {
	n := len(vals)
	t.blocks = append(t.blocks[:0], make([]uint64, n*t.size)...)
	copy(t.blocks[n*t.rank:], wordsOf[uint64](bytesOf(vals)))
	if err := t.gatherFew(t.blocks); err != nil {
		return err
	}
	all := wordsOf[int64](bytesOf(t.blocks))
	copy(vals, all)
	for r := 1; r < t.size; r++ {
		op.combine(vals, all[n*r:][:n])
	}
	return nil
}
