//go:build mpi && cgo

package comm

/*
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

enum { pair_tag = 2 }; // keeps these messages apart from those of collectives

// g500_sendrecv moves the messages of two ranks. One that has another length than its room is told in *wrong, with
// its bytes in *bytes; *wrong is -1 if none has.
static int g500_sendrecv(MPI_Comm comm, int peer, int sends, void **send, const int64_t *out, int recvs, void **recv,
		const int64_t *in, int *wrong, int *bytes) {
	MPI_Request *requests = malloc((sends + recvs + 1) * sizeof *requests);
	MPI_Status status;
	int rc = requests ? MPI_SUCCESS : MPI_ERR_NO_MEM;
	*wrong = -1;
	for (int i = 0; i < recvs && !rc; i++)
		rc = MPI_Irecv(recv[i], (int)in[i], MPI_BYTE, peer, pair_tag, comm, requests + i);
	for (int i = 0; i < sends && !rc; i++)
		rc = MPI_Isend(send[i], (int)out[i], MPI_BYTE, peer, pair_tag, comm, requests + recvs + i);
	for (int i = 0; i < recvs && !rc; i++) {
		int n = 0;
		rc = MPI_Wait(requests + i, &status);
		if (!rc) rc = MPI_Get_count(&status, MPI_BYTE, &n);
		if (!rc && n != in[i]) *wrong = i, *bytes = n;
	}
	if (!rc) rc = MPI_Waitall(sends, requests + recvs, MPI_STATUSES_IGNORE);
	free(requests);
	return rc;
}
*/
import "C"

import (
	"fmt"
	"math"
	"runtime"
)

// SendRecv starts all messages at once, receives before sends, and waits for all.
func (t *mpiRank) SendRecv(peer int, send, recv [][]byte) error {
	if err := checkPeer(peer, t.rank, t.size); err != nil {
		return err
	}
	out, err := lengths(send)
	if err != nil {
		return err
	}
	in, err := lengths(recv)
	if err != nil {
		return err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	var wrong, bytes C.int
	err = mpiError("SendRecv", C.g500_sendrecv(t.own.handle, C.int(peer), C.int(len(send)), addresses(send, &pin),
		int64s(out), C.int(len(recv)), addresses(recv, &pin), int64s(in), &wrong, &bytes))
	if err == nil && wrong >= 0 {
		return wrongLength(t.rank, peer, int64(bytes), in[wrong])
	}
	return err
}

// lengths are those of messages that one MPI call carries each.
func lengths(messages [][]byte) ([]int64, error) {
	bytes := make([]int64, len(messages))
	for i, m := range messages {
		if bytes[i] = int64(len(m)); bytes[i] > math.MaxInt32 {
			return nil, fmt.Errorf("comm: a message of %d bytes is too long for SendRecv: at most %d", len(m), math.MaxInt32)
		}
	}
	return bytes, nil
}
