// SPDX-License-Identifier: Apache-2.0

// Calls of either MPI library. All symbols are static, because gompi's preamble has global ones.
#ifndef G500_MPI_CGO_H
#define G500_MPI_CGO_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include "messages.h"
#include "waits.h"

static int g500_dup(MPI_Comm *own) {
	int rc = MPI_Comm_dup(MPI_COMM_WORLD, own);
	return rc ? rc : MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
}

// g500_lowest_on_node finds the lowest rank that shares memory with this one.
static int g500_lowest_on_node(MPI_Comm comm, int *lowest) {
	MPI_Comm node;
	MPI_Comm_rank(comm, lowest);
	int rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	if (!rc) rc = MPI_Bcast(lowest, 1, MPI_INT, 0, node); // ranks have the same order in node and comm
	return rc ? rc : MPI_Comm_free(&node);
}

// g500_allgather gathers blocks of k words, at most cut words of each block per call. A type with the extent of a block
// gives the distance of the blocks in 64 bits; displacements have 32.
static int g500_allgather(MPI_Comm comm, uint64_t *words, int64_t k, int64_t cut) {
	if (k <= cut) return g500_allgather_in_place(comm, words, (int)k, MPI_UINT64_T);
	int rc = MPI_SUCCESS;
	for (int64_t at = 0; at < k && !rc; at += cut) {
		MPI_Datatype run, spaced;
		MPI_Type_contiguous((int)(k - at < cut ? k - at : cut), MPI_UINT64_T, &run);
		MPI_Type_create_resized(run, 0, k * 8, &spaced);
		MPI_Type_commit(&spaced);
		rc = g500_allgather_in_place(comm, words + at, 1, spaced);
		MPI_Type_free(&spaced);
		MPI_Type_free(&run);
	}
	return rc;
}

// g500_exchange exchanges messages of known lengths with all other ranks. Each rank begins with the next one, so that
// not all send to the same rank at once.
static int g500_exchange(struct g500_messages m) {
	int64_t parts = 0;
	for (int r = 0; r < m.size; r++)
		if (r != m.rank) parts += (m.outgoing[r] + m.cut - 1) / m.cut + (m.incoming[r] + m.cut - 1) / m.cut;
	if (parts == 0) return MPI_SUCCESS;
	MPI_Request *requests = malloc(parts * sizeof *requests), *next = requests;
	if (!requests) return MPI_ERR_NO_MEM;
	int rc = MPI_SUCCESS;
	for (int i = 1; i < m.size && !rc; i++) rc = g500_post(&m, (m.rank + m.size - i) % m.size, 1, &next);
	for (int i = 1; i < m.size && !rc; i++) rc = g500_post(&m, (m.rank + i) % m.size, 0, &next);
	if (!rc) rc = g500_waitall((int)parts, requests);
	free(requests);
	return rc;
}

#endif
