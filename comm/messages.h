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

#endif
