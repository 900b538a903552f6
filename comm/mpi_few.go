//go:build mpi && cgo

package comm

/*
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include "waits.h"

enum { block_tag = 5 };

// g500_tell_all fills blocks of so many bytes, one a rank, of which this rank brings its own.
static int g500_tell_all(MPI_Comm comm, int rank, int size, char *blocks, int bytes) {
	MPI_Request *requests = malloc(2 * size * sizeof *requests), *next = requests;
	int rc = requests ? MPI_SUCCESS : MPI_ERR_NO_MEM;
	for (int i = 1; i < size && !rc; i++) {
		int from = (rank + size - i) % size;
		rc = MPI_Irecv(blocks + (int64_t)from * bytes, bytes, MPI_BYTE, from, block_tag, comm, next++);
	}
	for (int i = 1; i < size && !rc; i++)
		rc = MPI_Isend(blocks + (int64_t)rank * bytes, bytes, MPI_BYTE, (rank + i) % size, block_tag, comm, next++);
	if (!rc) rc = g500_waitall((int)(next - requests), requests);
	free(requests);
	return rc;
}
*/
import "C"

import "unsafe"

// Among few ranks short collectives take one round, in which every rank tells every other one. The library's take the
// logarithm of the ranks or more, which is fewer messages, and over a network of long latencies, or where ranks share
// cores, more time.

// fewRanks is up to how many ranks that is done. A variable for tests.
var fewRanks = 16

// shortBlock is up to how many words a rank tells so. Longer ones would go once to each rank of a node, where a
// library's ring brings them once.
const shortBlock = 2 << 10

// few reports whether a collective goes in one round, in which each rank has so many words for all.
func (t *mpiRank) few(words int) bool {
	return t.size <= fewRanks && words <= shortBlock && words <= mpiCut
}

// tellAll fills words with the blocks of all ranks, of which this rank brings its own.
func (t *mpiRank) tellAll(words []uint64) error {
	if len(words) == 0 {
		return nil
	}
	return mpiError("AllGather", C.g500_tell_all(t.own.handle, C.int(t.rank), C.int(t.size),
		(*C.char)(unsafe.Pointer(&words[0])), C.int(8*len(words)/t.size)))
}

// reduceFew combines vals over all ranks, in the order of ranks on each, and in place.
func (t *mpiRank) reduceFew(vals []int64, op Op) error {
	n := len(vals)
	t.blocks = append(t.blocks[:0], make([]uint64, n*t.size)...)
	copy(t.blocks[n*t.rank:], wordsOf[uint64](bytesOf(vals)))
	if err := t.tellAll(t.blocks); err != nil {
		return err
	}
	all := wordsOf[int64](bytesOf(t.blocks))
	copy(vals, all)
	for r := 1; r < t.size; r++ {
		op.combine(vals, all[n*r:][:n])
	}
	return nil
}
