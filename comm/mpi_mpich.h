// SPDX-License-Identifier: Apache-2.0

// Calls of MPICH and the libraries derived from it.
#ifndef G500_MPI_MPICH_H
#define G500_MPI_MPICH_H

#include <mpi.h>
#include <stdint.h>
#include "waits.h"

// MPICH uses the error handler of MPI_COMM_WORLD for requests of all communicators.
static int g500_return_errors(void) { return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }

static int g500_initialized(void) {
	int started = 0;
	MPI_Initialized(&started);
	return started;
}

static int g500_world_rank(void) {
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

static int g500_world_size(void) {
	int size;
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	return size;
}

static int g500_world_barrier(void) {
	MPI_Request request;
	return g500_started(MPI_Ibarrier(MPI_COMM_WORLD, &request), &request);
}

static void g500_world_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

// g500_world_allreduce combines values with an operation, numbered as in Op.
static int g500_world_allreduce(int64_t *vals, int n, int op) {
	const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX};
	MPI_Request request;
	int rc = MPI_Iallreduce(MPI_IN_PLACE, vals, n, MPI_INT64_T, ops[op], MPI_COMM_WORLD, &request);
	return g500_started(rc, &request);
}

// MPICH 4.0 has both functions; MVAPICH2 has the second one if it is built for GPUs. The address of a missing function
// is null.
int MPIX_GPU_query_support(int type, int *is_supported) __attribute__((weak));
int MPIX_Query_cuda_support(void) __attribute__((weak));

// g500_cuda_aware returns -1 if the library has neither function.
static int g500_cuda_aware(void) {
	enum { cuda = 0 }; // MPIX_GPU_SUPPORT_CUDA
	int yes = 0;
	if (MPIX_GPU_query_support) return MPIX_GPU_query_support(cuda, &yes) == MPI_SUCCESS && yes;
	return MPIX_Query_cuda_support ? MPIX_Query_cuda_support() : -1;
}

#endif
