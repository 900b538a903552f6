// SPDX-License-Identifier: Apache-2.0

// Short collectives of few ranks.
#ifndef G500_MPI_FEW_H
#define G500_MPI_FEW_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include "waits.h"

enum { block_tag = 5 };

// g500_gather_few gathers blocks of equal length, one per rank, in one round: each rank sends its block to all others.
static int g500_gather_few(MPI_Comm comm, int rank, int size, char *blocks, int bytes) {
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

#endif
