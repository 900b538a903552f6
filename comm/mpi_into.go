//go:build mpi && cgo

package comm

/*
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

enum { into_tag = 1 }; // keeps these messages apart from those of AllToAll

// g500_await waits for one message and counts its bytes. A message that is longer than its room counts in full.
static int g500_await(MPI_Request *request, int room, int64_t *bytes) {
	MPI_Status status;
	int n = 0, class = MPI_SUCCESS;
	int rc = MPI_Wait(request, &status);
	if (rc) MPI_Error_class(rc, &class);
	if (rc && class != MPI_ERR_TRUNCATE) return rc;
	int counted = MPI_Get_count(&status, MPI_BYTE, &n);
	if (counted) return counted;
	*bytes += n;
	return n > room ? MPI_SUCCESS : rc;
}

// g500_part is the length of the part of a message that begins at a byte, of at most cut bytes.
static int g500_part(int64_t bytes, int64_t at, int64_t cut) {
	return bytes - at < cut ? (int)(bytes > at ? bytes - at : 0) : (int)cut;
}

// g500_swap_parts moves that part of all messages which begins at a byte. What it starts, it counts in *under_way.
static int g500_swap_parts(MPI_Comm comm, int rank, int size, void **send, const int64_t *outgoing, void **recv,
		const int64_t *room, int64_t *incoming, int64_t at, int64_t cut, MPI_Request *requests, int *under_way) {
	MPI_Request *receives = requests, *sends = requests + size;
	int rc = MPI_SUCCESS;
	*under_way = 0;
	for (int r = 0; r < size; r++) receives[r] = sends[r] = MPI_REQUEST_NULL;
	for (int i = 1; i < size && !rc; i++) {
		int from = (rank + size - i) % size;
		if (incoming[from] != at) continue; // its last part was short
		rc = MPI_Irecv((char *)recv[from] + at, g500_part(room[from], at, cut), MPI_BYTE, from, into_tag, comm, receives + from);
		++*under_way;
	}
	for (int i = 1; i < size && !rc; i++) {
		int to = (rank + i) % size;
		if (outgoing[to] < at) continue;
		rc = MPI_Isend((char *)send[to] + at, g500_part(outgoing[to], at, cut), MPI_BYTE, to, into_tag, comm, sends + to);
		++*under_way;
	}
	for (int r = 0; r < size && !rc; r++)
		if (receives[r] != MPI_REQUEST_NULL) rc = g500_await(receives + r, g500_part(room[r], at, cut), incoming + r);
	return rc ? rc : MPI_Waitall(size, sends, MPI_STATUSES_IGNORE);
}

// g500_swap moves send[r] to rank r, and what it sends here to recv[r], for every r but this rank. Nobody knows how long
// a message will be: it goes in parts of cut bytes and ends with one that is shorter, and may be empty. One that has no
// room is taken to its end, cut off, and incoming says how long it was.
static int g500_swap(MPI_Comm comm, int rank, int size, void **send, const int64_t *outgoing, void **recv,
		const int64_t *room, int64_t *incoming, int64_t cut) {
	MPI_Request *requests = malloc(2 * size * sizeof *requests);
	if (!requests) return MPI_ERR_NO_MEM;
	for (int r = 0; r < size; r++) incoming[r] = 0;
	int rc = MPI_SUCCESS, under_way = 1;
	for (int64_t at = 0; under_way && !rc; at += cut)
		rc = g500_swap_parts(comm, rank, size, send, outgoing, recv, room, incoming, at, cut, requests, &under_way);
	free(requests);
	return rc;
}
*/
import "C"

import "runtime"

// AllToAllInto needs no word on lengths beforehand: each message says its own, and the room bounds it.
func (t *mpiRank) AllToAllInto(send, into [][]byte) ([][]byte, error) {
	if err := checkInto(send, into, t.size); err != nil {
		return nil, err
	}
	for r := range send {
		t.outgoing[r], t.rooms[r] = int64(len(send[r])), int64(len(into[r]))
	}
	if err := t.own.swap(t.rank, send, into, t.outgoing, t.rooms, t.incoming, 8*mpiCut); err != nil {
		return nil, err
	}
	t.incoming[t.rank] = t.outgoing[t.rank]
	copy(into[t.rank], send[t.rank])
	return t.filled.take(t.rank, into, t.incoming)
}

// swap fills the front of recv[r] with what rank r sends here, for every r but rank, in messages of at most cut bytes.
// outgoing and rooms are the lengths of send's and recv's parts; incoming becomes the lengths of what came.
func (c mpiComm) swap(rank int, send, recv [][]byte, outgoing, rooms, incoming []int64, cut int) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	code := C.g500_swap(c.handle, C.int(rank), C.int(len(send)), addresses(send, &pin), int64s(outgoing),
		addresses(recv, &pin), int64s(rooms), int64s(incoming), C.int64_t(cut))
	return mpiError("AllToAllInto", code)
}
