// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"runtime"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/internal/lists"
)

// StagingBytes limits each of the two staging buffers in pinned host memory. Tests reduce it, because allocating pinned
// memory takes long.
var StagingBytes int64 = 64 << 20

func init() { comm.ManyThreads = true } // which copy messages faster between the ranks of a node

// staging moves data through host memory in pieces. Pieces are copied from the device, sent, received and copied to the
// device at the same time. The buffers have space only for the pieces in flight, so that they stay in the processor's
// caches: between two processes of a node Open MPI 4.1 moves twice as many bytes per second from buffers of 2 MB as
// from buffers of 32 MB. It is a comm.Pieces.
type staging struct {
	byMPI
	place   []int // by rank: number among the remote ranks, -1 for other ranks
	piece   int64 // limit of bytes from one rank to another at a time, the same on all ranks
	out, in *cuda.Pinned
	slots   [comm.PiecesInFlight]slot

	all     []transfer       // of the present put
	step    int64            // bytes of a piece in it, except the last of each message
	shared  bool             // all remote ranks get the same message, which is copied from the device once
	inOrder *cuda.CopyStream // the device's stream
	lone    bool             // no message has several pieces: copies are on the device's stream
	writes  bool             // the device's stream may still copy from the first slot
}

// slot has the copies of the pieces whose numbers have the same remainder.
type slot struct {
	reading, writing *cuda.CopyStream
	read             []int // by remote rank: 1 plus the number of the last piece whose copy has begun
	asked            []int // of messages to all: by remote rank, 1 plus the number of the last piece that is to be sent
	asking           int   // number of remote ranks to which the next piece for all is to be sent
}

func openStaging(c *transport, ranks []int, bytes int64) (remoteTransport, error) {
	s := &staging{byMPI: byMPI{StagedTransport, c.host, c.device, ranks}, piece: stagedPiece(bytes)}
	if err := comm.Agree(c.host, s.open()); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// open allocates the buffers.
func (s *staging) open() (err error) {
	n, d := len(s.ranks), s.device
	s.inOrder = d.InOrder()
	s.place = slices.Repeat([]int{-1}, s.host.Size())
	for i, r := range s.ranks {
		s.place[r] = i
	}
	bytes := int64(n*comm.PiecesInFlight) * s.piece
	if s.out, err = d.AllocPinned("messages to other ranks", bytes); err != nil {
		return err
	}
	if s.in, err = d.AllocPinned("messages from other ranks", bytes); err != nil {
		return err
	}
	for i := range s.slots {
		slot := &s.slots[i]
		slot.asked, slot.read = make([]int, n), make([]int, n)
		if slot.reading, err = d.NewCopyStream(); err != nil {
			return err
		}
		if slot.writing, err = d.NewCopyStream(); err != nil {
			return err
		}
	}
	return nil
}

// stagedPiece returns the limit of bytes of a piece, a multiple of 8, for that many bytes of staging per rank.
func stagedPiece(staging int64) int64 {
	const most = 512 << 10 // longer pieces are no faster
	return max(8, min(most, staging/comm.PiecesInFlight)&^7)
}

// pieceOf returns the bytes of a piece of messages whose longest has that many bytes. Several pieces are moved at the
// same time, but a short piece costs more than it saves.
func pieceOf(longest, most int64) int64 {
	const short, grain = 128 << 10, 16
	return min(most, max(short, (longest/comm.PiecesInFlight+grain)/grain*grain))
}

// put copies pieces on streams of their own. If no message has several pieces, the copies are on the device's stream,
// in order with its kernels, so that the host waits for one copy in place of three.
func (s *staging) put(all []transfer, longest int64) error {
	if longest == 0 {
		return nil
	}
	s.all, s.step, s.shared = all, pieceOf(longest, s.piece), true
	s.lone = longest <= s.step
	if !s.lone {
		s.writes = false
		if err := s.device.Synchronize(); err != nil {
			return err
		}
	}
	for _, r := range s.ranks {
		s.shared = s.shared && all[r].send == all[s.ranks[0]].send
	}
	for i := range s.slots {
		clear(s.slots[i].asked)
		clear(s.slots[i].read)
		s.slots[i].asking = 0
	}
	if err := s.host.AllToAllPieces(s); err != nil || s.lone {
		s.writes = true
		return err
	}
	for i := range s.slots {
		if err := s.slots[i].writing.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// streams returns the streams of copies from the device to a piece's slot, and from the slot to the device.
func (s *staging) streams(piece int) (reading, writing *cuda.CopyStream) {
	if s.lone {
		return s.inOrder, s.inOrder
	}
	slot := &s.slots[piece%comm.PiecesInFlight]
	return slot.reading, slot.writing
}

// Enter makes the GPU current in the calling goroutine's thread.
func (s *staging) Enter() (leave func(), err error) { return runtime.UnlockOSThread, s.device.Enter() }

// Counts returns the numbers of pieces to a rank and from it.
func (s *staging) Counts(rank int) (sent, received int) {
	if s.place[rank] < 0 {
		return 0, 0
	}
	pieces := func(m cuda.Memory) int { return int((m.Bytes() + s.step - 1) / s.step) }
	return pieces(s.all[rank].send), pieces(s.all[rank].receive)
}

// of returns a piece of a message.
func (s *staging) of(message cuda.Memory, piece int) cuda.Memory {
	at := int64(piece) * s.step
	return message.Part(at, min(s.step, message.Bytes()-at))
}

// memory returns the part of a buffer for a piece to or from a remote rank.
func (s *staging) memory(buffer *cuda.Pinned, place, piece int, bytes int64) []byte {
	at := place*comm.PiecesInFlight + piece%comm.PiecesInFlight
	return buffer.Bytes[int64(at)*s.piece:][:bytes:bytes]
}

// Out starts to copy a piece from the device, and returns it when the copy is complete. A piece for all ranks is copied
// when all of them have sent the last one in its slot.
func (s *staging) Out(rank, piece int) ([]byte, error) {
	slot, place := &s.slots[piece%comm.PiecesInFlight], s.place[rank]
	from := s.of(s.all[rank].send, piece)
	reading, _ := s.streams(piece)
	if s.shared {
		if slot.asked[place] <= piece {
			slot.asked[place] = piece + 1
			slot.asking++
		}
		place = 0
	}
	to := s.memory(s.out, place, piece, from.Bytes())
	if slot.read[place] <= piece {
		if s.shared && slot.asking < len(s.ranks) {
			return nil, nil
		}
		slot.read[place], slot.asking = piece+1, 0
		return nil, reading.Read(to, from)
	}
	done, err := reading.Done()
	if err != nil || !done {
		return nil, err
	}
	return to, nil
}

// In returns memory for a piece after the last one in its slot is on the device.
func (s *staging) In(rank, piece int) ([]byte, error) {
	if _, writing := s.streams(piece); s.writes || piece >= comm.PiecesInFlight {
		done, err := writing.Done()
		if err != nil || !done {
			return nil, err
		}
	}
	return s.memory(s.in, s.place[rank], piece, s.of(s.all[rank].receive, piece).Bytes()), nil
}

// Arrived starts to copy a piece to the device.
func (s *staging) Arrived(rank, piece int) error {
	into := s.of(s.all[rank].receive, piece)
	from := s.memory(s.in, s.place[rank], piece, into.Bytes())
	_, writing := s.streams(piece)
	return writing.Write(into, from)
}

func (s *staging) close() error {
	faults := lists.Of(s.slots[:], func(s slot) error { return cuda.Free(s.reading, s.writing) })
	return errors.Join(append(faults, cuda.Free(s.out, s.in))...)
}
