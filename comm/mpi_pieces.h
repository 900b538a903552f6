// SPDX-License-Identifier: Apache-2.0

// Messages in pieces.
#ifndef G500_MPI_PIECES_H
#define G500_MPI_PIECES_H

#include <mpi.h>
#include "waits.h"

enum { piece_tag = 6 }; // of the first lane; the others follow, and no other collective has these tags

// One end of a piece of a message.
struct g500_piece {
	MPI_Comm comm;
	int rank, lane; // the other rank
	void *data;
	int bytes;
};

static int g500_send_piece(struct g500_piece p, MPI_Request *request) {
	return MPI_Isend(p.data, p.bytes, MPI_BYTE, p.rank, piece_tag + p.lane, p.comm, request);
}

static int g500_receive_piece(struct g500_piece p, MPI_Request *request) {
	return MPI_Irecv(p.data, p.bytes, MPI_BYTE, p.rank, piece_tag + p.lane, p.comm, request);
}

// g500_take_piece starts to receive a piece if its sender has started. Then Open MPI copies from a process of the node
// in the calling thread, in parallel to other threads. If the receive starts first, it copies in one thread at a time.
static int g500_take_piece(struct g500_piece p, MPI_Request *request, int *started) {
	MPI_Message message;
	int rc = MPI_Improbe(p.rank, piece_tag + p.lane, p.comm, started, &message, MPI_STATUS_IGNORE);
	if (rc) return rc;
	if (*started) return MPI_Imrecv(p.data, p.bytes, MPI_BYTE, &message, request);
	g500_yield();
	return MPI_SUCCESS;
}

// g500_piece_done tests a piece. *bytes becomes the length of a received one.
static int g500_piece_done(MPI_Request *request, int *done, int *bytes) {
	MPI_Status status;
	int rc = MPI_Test(request, done, &status);
	if (rc) return rc;
	if (*done) return MPI_Get_count(&status, MPI_BYTE, bytes);
	g500_yield();
	return MPI_SUCCESS;
}

#endif
