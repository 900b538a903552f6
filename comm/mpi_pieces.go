//go:build mpi && cgo

package comm

/*
#include <mpi.h>
#include "waits.h"

enum { piece_tag = 6 }; // not the tag of another collective

// g500_start_piece starts to send a piece to a rank, or to receive one from it.
static int g500_start_piece(MPI_Comm comm, int rank, int receives, void *piece, int bytes, MPI_Request *request) {
	return receives ? MPI_Irecv(piece, bytes, MPI_BYTE, rank, piece_tag, comm, request)
		: MPI_Isend(piece, bytes, MPI_BYTE, rank, piece_tag, comm, request);
}

// g500_piece_done tests a piece. *bytes becomes the length of a received one.
static int g500_piece_done(MPI_Request *request, int *done, int *bytes) {
	MPI_Status status;
	int rc = g500_test(request, done, &status);
	return rc || !*done ? rc : MPI_Get_count(&status, MPI_BYTE, bytes);
}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// mpiPieces has the pieces in flight of AllToAllPieces.
type mpiPieces struct {
	comm     mpiComm
	rank     int
	inFlight [2][]mpiPiece // to other ranks and from them, PiecesInFlight for each
}

// mpiPiece is a piece of a message in flight.
type mpiPiece struct {
	request C.MPI_Request
	bytes   int
	pin     runtime.Pinner
}

// AllToAllPieces sends each piece by one MPI call.
func (t *mpiRank) AllToAllPieces(p Pieces) error {
	if t.pieces == nil {
		t.pieces = &mpiPieces{comm: t.own, rank: t.rank}
		for i := range t.pieces.inFlight {
			t.pieces.inFlight[i] = make([]mpiPiece, t.size*PiecesInFlight)
		}
	}
	return movePieces(t.rank, t.size, p, t.pieces)
}

// of returns the place of a flow's piece.
func (m *mpiPieces) of(f *flow, piece int) (p *mpiPiece, receives C.int) {
	if f.receives {
		receives = 1
	}
	return &m.inFlight[receives][f.rank*PiecesInFlight+f.slot(piece)], receives
}

func (m *mpiPieces) start(f *flow, piece []byte) error {
	p, receives := m.of(f, f.started)
	p.bytes = len(piece)
	data := unsafe.Pointer(unsafe.SliceData(piece))
	p.pin.Pin(data)
	return mpiError("AllToAllPieces",
		C.g500_start_piece(m.comm.handle, C.int(f.rank), receives, data, C.int(len(piece)), &p.request))
}

func (m *mpiPieces) done(f *flow) (bool, error) {
	p, _ := m.of(f, f.done)
	var done, bytes C.int
	err := mpiError("AllToAllPieces", C.g500_piece_done(&p.request, &done, &bytes))
	if err != nil || done == 0 {
		return false, err
	}
	p.pin.Unpin()
	if f.receives && int(bytes) != p.bytes {
		return false, wrongLength(m.rank, f.rank, int64(bytes), int64(p.bytes))
	}
	return true, nil
}
