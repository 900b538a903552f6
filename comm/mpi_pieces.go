// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

// #include "mpi_pieces.h"
import "C"

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"g500/internal/panics"
)

// mpiPieces has the state of AllToAllPieces.
type mpiPieces struct {
	comm     mpiComm
	rank     int
	near     []bool        // by rank: on this node, and several threads may call MPI
	workers  int           // threads that move long messages
	inFlight [2][]mpiPiece // to other ranks and from them, PiecesInFlight for each
	loops    [pieceLanes]pieceLoop
	stop     atomic.Bool
}

// mpiPiece is a piece of a message in flight.
type mpiPiece struct {
	request C.MPI_Request
	bytes   int
	pin     runtime.Pinner
}

// AllToAllPieces sends each piece by one MPI call. If messages are long and some rank is on this node, several threads
// move them: MPI copies between processes, and a thread copies less than a network or a GPU moves.
func (t *mpiRank) AllToAllPieces(p Pieces) error {
	if t.pieces == nil {
		t.pieces = t.newPieces()
	}
	m := t.pieces
	longest := 0
	for r := range t.size {
		sent, received := p.Counts(r)
		longest = max(longest, sent, received)
	}
	workers := m.workers
	if longest < PiecesInFlight || workers == 1 {
		m.loops[0].p = p
		return m.loops[0].run(0, pieceLanes-1, &m.stop)
	}
	return m.run(p, workers)
}

// run moves the lanes by that many goroutines, of which this is one. If one fails, the others stop.
func (m *mpiPieces) run(p Pieces, workers int) error {
	var stop atomic.Bool
	var others sync.WaitGroup
	var faults, panicked [pieceLanes]error
	work := func(w int) {
		m.loops[w].p = p
		first, end := w*pieceLanes/workers, (w+1)*pieceLanes/workers
		if faults[w] = m.loops[w].run(first, end-1, &stop); faults[w] != nil {
			stop.Store(true)
		}
	}
	for w := 1; w < workers; w++ {
		others.Add(1)
		go panics.Catch(func() { work(w) }, func(fault error) {
			if panicked[w] = fault; fault != nil {
				stop.Store(true)
			}
			others.Done()
		})
	}
	work(0)
	others.Wait()
	panics.Raise(errors.Join(panicked[:]...))
	return errors.Join(faults[:]...)
}

func (t *mpiRank) newPieces() *mpiPieces {
	m := &mpiPieces{comm: t.own, rank: t.rank, near: make([]bool, t.size), workers: 1}
	for i := range m.inFlight {
		m.inFlight[i] = make([]mpiPiece, t.size*PiecesInFlight)
	}
	for w := range m.loops {
		m.loops[w] = pieceLoop{rank: t.rank, ranks: t.size, by: m}
	}
	if !threadsMultiple() {
		return m
	}
	mates := 0
	for r, node := range t.nodes {
		if node == t.nodes[t.rank] {
			m.near[r] = true
			mates++
		}
	}
	if mates > 1 {
		m.workers = max(1, min(pieceLanes, runtime.GOMAXPROCS(0)/mates/2))
	}
	return m
}

// of returns the state of a flow's piece i.
func (m *mpiPieces) of(f *flow, i int) *mpiPiece {
	way := 0
	if f.receives {
		way = 1
	}
	return &m.inFlight[way][f.rank*PiecesInFlight+f.slot(i)]
}

func (m *mpiPieces) start(f *flow) (bool, error) {
	p, started := m.of(f, f.started), C.int(1)
	data := unsafe.Pointer(unsafe.SliceData(f.next))
	p.bytes = len(f.next)
	p.pin.Pin(data)
	piece := C.struct_g500_piece{
		comm: m.comm.handle, rank: C.int(f.rank), lane: C.int(f.lane), data: data, bytes: C.int(len(f.next)),
	}
	var code C.int
	switch {
	case !f.receives:
		code = C.g500_send_piece(piece, &p.request)
	case m.near[f.rank]:
		code = C.g500_take_piece(piece, &p.request, &started)
	default:
		code = C.g500_receive_piece(piece, &p.request)
	}
	if started == 0 {
		p.pin.Unpin()
	}
	return started != 0, mpiError("AllToAllPieces", code)
}

func (m *mpiPieces) done(f *flow) (bool, error) {
	p := m.of(f, f.done)
	var done, bytes C.int
	err := mpiError("AllToAllPieces", C.g500_piece_done(&p.request, &done, &bytes))
	if err != nil || done == 0 {
		return false, err
	}
	p.pin.Unpin()
	if f.receives {
		err = fits(m.rank, f.rank, int(bytes), p.bytes)
	}
	return true, err
}

// AllToAllInto moves messages as pieces, each as long as one MPI call permits.
func (t *mpiRank) AllToAllInto(send, into [][]byte) error {
	if err := checkInto(send, into, t.rank, t.size); err != nil {
		return err
	}
	copy(into[t.rank], send[t.rank])
	return t.AllToAllPieces(messagesInto{send, into})
}

// messagesInto are messages and their destinations, by rank.
type messagesInto struct{ send, into [][]byte }

func pieceOf(message []byte, i int) []byte {
	return message[8*mpiCut*i : min(8*mpiCut*(i+1), len(message))]
}

func (m messagesInto) Counts(rank int) (sent, received int) {
	count := func(message []byte) int { return (len(message) + 8*mpiCut - 1) / (8 * mpiCut) }
	return count(m.send[rank]), count(m.into[rank])
}

func (m messagesInto) Enter() (leave func(), err error) { return func() {}, nil }
func (m messagesInto) Out(rank, i int) ([]byte, error)  { return pieceOf(m.send[rank], i), nil }
func (m messagesInto) In(rank, i int) ([]byte, error)   { return pieceOf(m.into[rank], i), nil }
func (m messagesInto) Arrived(int, int) error           { return nil }
