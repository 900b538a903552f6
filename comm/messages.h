// SPDX-License-Identifier: Apache-2.0

// The messages between one rank and the others. Element r of each array is for rank r.
#ifndef G500_MESSAGES_H
#define G500_MESSAGES_H

#include <mpi.h>
#include <stdint.h>

struct g500_messages {
	MPI_Comm comm;
	int rank, size;
	void **send;
	const int64_t *outgoing; // bytes of each message in send
	void **recv;
	int64_t *incoming; // bytes of each message in recv
	int64_t cut; // the largest number of bytes of one MPI call
};

// g500_post starts to send a message to a rank, or to receive a message of known length from it, in parts of at most
// cut bytes.
static inline int g500_post(const struct g500_messages *m, int rank, int receive, MPI_Request **next) {
	char *data = receive ? m->recv[rank] : m->send[rank];
	int64_t bytes = receive ? m->incoming[rank] : m->outgoing[rank];
	int rc = MPI_SUCCESS;
	for (int64_t at = 0; at < bytes && !rc; at += m->cut) {
		int n = (int)(bytes - at < m->cut ? bytes - at : m->cut);
		rc = receive ? MPI_Irecv(data + at, n, MPI_BYTE, rank, 0, m->comm, (*next)++)
			: MPI_Isend(data + at, n, MPI_BYTE, rank, 0, m->comm, (*next)++);
	}
	return rc;
}

#endif
