// SPDX-License-Identifier: Apache-2.0

// MPI calls that wait. A waiting rank must yield its core to the threads of other ranks: otherwise an exchange between
// two ranks on two busy cores took milliseconds instead of microseconds.
#ifndef G500_WAITS_H
#define G500_WAITS_H

#include <mpi.h>
#include <stdint.h>

#ifdef OPEN_MPI

// Open MPI yields itself, after yieldWhenIdle.

static inline int g500_wait(MPI_Request *request, MPI_Status *status) { return MPI_Wait(request, status); }

static inline int g500_waitall(int n, MPI_Request *requests) {
	return MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static inline void g500_yield(void) {}

static inline int g500_probe(int from, MPI_Comm comm, MPI_Status *status) {
	return MPI_Probe(from, MPI_ANY_TAG, comm, status);
}

static inline int g500_alltoall(MPI_Comm comm, const int64_t *send, int64_t *recv) {
	return MPI_Alltoall(send, 1, MPI_INT64_T, recv, 1, MPI_INT64_T, comm);
}

static inline int g500_allgather_in_place(MPI_Comm comm, void *data, int n, MPI_Datatype type) {
	return MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, n, type, comm);
}

#else

// MPICH spins without yielding. Therefore each call starts without waiting, and is then tested.

#include <sched.h>

static inline void g500_yield(void) { sched_yield(); }

static inline int g500_wait(MPI_Request *request, MPI_Status *status) {
	for (int done = 0;; g500_yield()) {
		int rc = MPI_Test(request, &done, status);
		if (rc || done) return rc;
	}
}

// One by one, because MPI_Testall would test all of them each time.
static inline int g500_waitall(int n, MPI_Request *requests) {
	int rc = MPI_SUCCESS;
	for (int i = 0; i < n && !rc; i++) rc = g500_wait(requests + i, MPI_STATUS_IGNORE);
	return rc;
}

static inline int g500_probe(int from, MPI_Comm comm, MPI_Status *status) {
	for (int arrived = 0;; g500_yield()) {
		int rc = MPI_Iprobe(from, MPI_ANY_TAG, comm, &arrived, status);
		if (rc || arrived) return rc;
	}
}

// g500_started waits for a collective that has returned rc.
static inline int g500_started(int rc, MPI_Request *request) {
	return rc ? rc : g500_wait(request, MPI_STATUS_IGNORE);
}

static inline int g500_alltoall(MPI_Comm comm, const int64_t *send, int64_t *recv) {
	MPI_Request request;
	return g500_started(MPI_Ialltoall(send, 1, MPI_INT64_T, recv, 1, MPI_INT64_T, comm, &request), &request);
}

static inline int g500_allgather_in_place(MPI_Comm comm, void *data, int n, MPI_Datatype type) {
	MPI_Request request;
	int rc = MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, n, type, comm, &request);
	return g500_started(rc, &request);
}

#endif
#endif
