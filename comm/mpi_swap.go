//go:build mpi && cgo && !mpich

package comm

/*
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include "messages.h"
#include "waits.h"

enum { into_tag = 1 }; // not the tag of AllToAll

// g500_await waits for a message and adds its length to *bytes, also if the message is longer than its buffer.
static int g500_await(MPI_Request *request, int buffer, int64_t *bytes) {
	MPI_Status status;
	int n = 0, class = MPI_SUCCESS;
	int rc = g500_wait(request, &status);
	if (rc) MPI_Error_class(rc, &class);
	if (rc && class != MPI_ERR_TRUNCATE) return rc;
	int counted = MPI_Get_count(&status, MPI_BYTE, &n);
	if (counted) return counted;
	*bytes += n;
	return n > buffer ? MPI_SUCCESS : rc;
}

// g500_part returns the length of the part of a message that begins at byte at, at most cut bytes.
static int g500_part(int64_t bytes, int64_t at, int64_t cut) {
	return bytes - at < cut ? (int)(bytes > at ? bytes - at : 0) : (int)cut;
}

// g500_swap_parts exchanges the parts of all messages that begin at byte at. *under_way becomes their number.
static int g500_swap_parts(const struct g500_messages *m, const int64_t *buffers, int64_t at, MPI_Request *requests,
		int *under_way) {
	MPI_Request *receives = requests, *sends = requests + m->size;
	int rc = MPI_SUCCESS;
	*under_way = 0;
	for (int r = 0; r < m->size; r++) receives[r] = sends[r] = MPI_REQUEST_NULL;
	for (int i = 1; i < m->size && !rc; i++) {
		int from = (m->rank + m->size - i) % m->size;
		if (m->incoming[from] != at) continue; // the message has ended with a short part
		char *into = (char *)m->recv[from] + at;
		rc = MPI_Irecv(into, g500_part(buffers[from], at, m->cut), MPI_BYTE, from, into_tag, m->comm, receives + from);
		++*under_way;
	}
	for (int i = 1; i < m->size && !rc; i++) {
		int to = (m->rank + i) % m->size;
		if (m->outgoing[to] < at) continue;
		char *part = (char *)m->send[to] + at;
		rc = MPI_Isend(part, g500_part(m->outgoing[to], at, m->cut), MPI_BYTE, to, into_tag, m->comm, sends + to);
		++*under_way;
	}
	for (int r = 0; r < m->size && !rc; r++)
		if (receives[r] != MPI_REQUEST_NULL)
			rc = g500_await(receives + r, g500_part(buffers[r], at, m->cut), m->incoming + r);
	return rc ? rc : g500_waitall(m->size, sends);
}

// g500_swap exchanges messages of unknown lengths with all other ranks. A message is sent in parts of cut bytes and
// ends with a shorter part, which may be empty. A message that is too long for its buffer is received completely and
// truncated. m.incoming becomes the lengths of the received messages.
static int g500_swap(struct g500_messages m, const int64_t *buffers) {
	MPI_Request *requests = malloc(2 * m.size * sizeof *requests);
	if (!requests) return MPI_ERR_NO_MEM;
	for (int r = 0; r < m.size; r++) m.incoming[r] = 0;
	int rc = MPI_SUCCESS, under_way = 1;
	for (int64_t at = 0; under_way && !rc; at += m.cut) rc = g500_swap_parts(&m, buffers, at, requests, &under_way);
	free(requests);
	return rc;
}
*/
import "C"

import "runtime"

// swap fills the start of recv[r], a buffer of buffers[r] bytes, with the message of each other rank r, and incoming
// with the lengths of the messages. It takes one round, without lengths sent before.
func (c mpiComm) swap(m messages, buffers []int64) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return mpiError("AllToAllInto", C.g500_swap(c.forC(m, &pin), int64s(buffers)))
}
