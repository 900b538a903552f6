//go:build mpi && cgo

package comm

/*
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include "waits.h"

enum { pair_tag = 2 }; // not the tag of a collective

// The messages of this rank to a peer, and of the peer to this rank.
struct g500_pair {
	MPI_Comm comm;
	int peer, sends, recvs;
	void **send;
	const int64_t *outgoing; // bytes of each message in send
	void **recv;
	const int64_t *incoming; // bytes of each buffer in recv
};

// g500_sendrecv exchanges the messages of two ranks. *wrong becomes the number of a message that does not have
// the length of its buffer, and *bytes its length; *wrong is -1 if there is none.
static int g500_sendrecv(struct g500_pair p, int *wrong, int *bytes) {
	MPI_Request *requests = malloc((p.sends + p.recvs + 1) * sizeof *requests), *next = requests;
	MPI_Status status;
	int rc = requests ? MPI_SUCCESS : MPI_ERR_NO_MEM;
	*wrong = -1;
	for (int i = 0; i < p.recvs && !rc; i++)
		rc = MPI_Irecv(p.recv[i], (int)p.incoming[i], MPI_BYTE, p.peer, pair_tag, p.comm, next++);
	for (int i = 0; i < p.sends && !rc; i++)
		rc = MPI_Isend(p.send[i], (int)p.outgoing[i], MPI_BYTE, p.peer, pair_tag, p.comm, next++);
	for (int i = 0; i < p.recvs && !rc; i++) {
		int n = 0;
		rc = g500_wait(requests + i, &status);
		if (!rc) rc = MPI_Get_count(&status, MPI_BYTE, &n);
		if (!rc && n != p.incoming[i]) *wrong = i, *bytes = n;
	}
	if (!rc) rc = g500_waitall(p.sends, requests + p.recvs);
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

// SendRecv starts all receives and then all sends, and waits for all.
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
	err = mpiError("SendRecv", C.g500_sendrecv(C.struct_g500_pair{
		comm: t.own.handle, peer: C.int(peer), sends: C.int(len(send)), recvs: C.int(len(recv)),
		send: addresses(send, &pin), outgoing: int64s(out), recv: addresses(recv, &pin), incoming: int64s(in),
	}, &wrong, &bytes))
	if err == nil && wrong >= 0 {
		return wrongLength(t.rank, peer, int64(bytes), in[wrong])
	}
	return err
}

// lengths returns the lengths of messages, each of which is sent by one MPI call.
func lengths(messages [][]byte) ([]int64, error) {
	bytes := make([]int64, len(messages))
	for i, m := range messages {
		if bytes[i] = int64(len(m)); bytes[i] > math.MaxInt32 {
			return nil, fmt.Errorf("comm: a message of %d bytes is too long for SendRecv: at most %d", len(m), math.MaxInt32)
		}
	}
	return bytes, nil
}
