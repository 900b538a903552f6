// The messages of one rank to the others, and theirs to it. Element r of each array is of rank r.
#ifndef G500_MESSAGES_H
#define G500_MESSAGES_H

#include <mpi.h>
#include <stdint.h>

struct g500_messages {
	MPI_Comm comm;
	int rank, size;
	void **send; // where the message to it lies
	const int64_t *outgoing; // its bytes
	void **recv; // where its message goes
	int64_t *incoming; // its bytes
	int64_t cut; // the most bytes that one call of MPI moves
};

// g500_post starts to send the message to a rank, or to receive its message, whose length is known, in parts of at most
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
