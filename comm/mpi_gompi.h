// SPDX-License-Identifier: Apache-2.0

// Calls of Open MPI. All symbols are static, because gompi's preamble has global ones.
#ifndef G500_MPI_GOMPI_H
#define G500_MPI_GOMPI_H

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <unistd.h>

// g500_fatal prints MPI's error and ends the job, because gompi drops the results of MPI calls.
static void g500_fatal(MPI_Comm *comm, int *code, ...) {
	char text[MPI_MAX_ERROR_STRING], node[256] = "";
	int n, rank;
	gethostname(node, sizeof node - 1);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Error_string(*code, text, &n);
	fprintf(stderr, "g500: rank %d (node %s): comm: %s\n", rank, node, text);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static int g500_fail_on_error(void) {
	MPI_Errhandler fatal;
	int rc = MPI_Comm_create_errhandler(g500_fatal, &fatal);
	return rc ? rc : MPI_Comm_set_errhandler(MPI_COMM_WORLD, fatal);
}

static int g500_cuda_aware(void) {
#ifdef MPIX_CUDA_AWARE_SUPPORT
	return MPIX_Query_cuda_support();
#else
	return 0;
#endif
}

#endif
