//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// StagingBytes is the size of each of the four staging buffers in pinned host memory. Tests reduce it, because
// allocating pinned memory takes long.
var StagingBytes int64 = 32 << 20

// staging moves data through host memory in pieces: while one piece is sent between hosts, the next one is copied from
// the device and the previous one to the device.
type staging struct {
	host   comm.Transport
	ranks  []int // remote ranks
	piece  int64 // limit of bytes from one rank to another at a time, the same on all ranks
	step   int64 // the same for the present messages
	halves [2]half

	into [][]byte // by rank: argument of AllToAllInto
}

// half has the buffers of every second piece.
type half struct {
	out, in          *cuda.Pinned
	reading, writing *cuda.CopyStream
	send             [][]byte // by rank: pieces of out
}

// open allocates the buffers.
func (s *staging) open(d *cuda.Device) error {
	for i := range s.halves {
		s.halves[i].send = make([][]byte, s.host.Size())
		if err := s.halves[i].open(d, int64(len(s.ranks))*s.piece); err != nil {
			return err
		}
	}
	return nil
}

func (h *half) open(d *cuda.Device, bytes int64) (err error) {
	if h.out, err = d.AllocPinned("messages to other ranks", bytes); err != nil {
		return err
	}
	if h.in, err = d.AllocPinned("messages from other ranks", bytes); err != nil {
		return err
	}
	if h.reading, err = d.NewCopyStream(); err != nil {
		return err
	}
	h.writing, err = d.NewCopyStream()
	return err
}

func (s *staging) String() string { return "staged in host memory" }

// pieceOf returns the bytes of a piece of messages whose longest has that many bytes. Several pieces are moved at the
// same time, but a short piece costs more than it saves.
func pieceOf(longest, most int64) int64 {
	const inFlight, short, grain = 4, 1 << 20, 16
	return min(most, max(short, (longest/inFlight+grain)/grain*grain))
}

// move makes the same number of rounds on all ranks, which longest determines.
func (s *staging) move(all []transfer, longest int64) error {
	s.step = pieceOf(longest, s.piece)
	rounds := int((longest + s.step - 1) / s.step)
	if rounds == 0 {
		return nil
	}
	if err := s.read(all, 0); err != nil {
		return err
	}
	for round := range rounds {
		if err := s.halves[round%2].reading.Wait(); err != nil {
			return err
		}
		if round+1 < rounds {
			if err := s.read(all, round+1); err != nil {
				return err
			}
		}
		if err := s.swap(all, round); err != nil {
			return err
		}
	}
	return errors.Join(s.halves[0].writing.Wait(), s.halves[1].writing.Wait())
}

// of returns a round's piece of a message.
func (s *staging) of(message cuda.Memory, round int) cuda.Memory {
	at := min(int64(round)*s.step, message.Bytes())
	return message.Part(at, min(s.step, message.Bytes()-at))
}

// slot returns the memory of the i-th remote rank in a buffer.
func (s *staging) slot(buffer *cuda.Pinned, i int, bytes int64) []byte {
	return buffer.Bytes[int64(i)*s.piece:][:bytes:bytes]
}

// read starts to copy a round's pieces from the device. A message to several ranks is copied once.
func (s *staging) read(all []transfer, round int) error {
	h := &s.halves[round%2]
	for i, r := range s.ranks {
		if i > 0 && all[r].send == all[s.ranks[i-1]].send {
			h.send[r] = h.send[s.ranks[i-1]]
			continue
		}
		piece := s.of(all[r].send, round)
		h.send[r] = s.slot(h.out, i, piece.Bytes())
		if err := h.reading.Read(h.send[r], piece); err != nil {
			return err
		}
	}
	return nil
}

// swap exchanges a round's pieces and starts to copy the received pieces to the device.
func (s *staging) swap(all []transfer, round int) error {
	h := &s.halves[round%2]
	if err := h.writing.Wait(); err != nil { // the buffer's last piece is on the device
		return err
	}
	for i, r := range s.ranks {
		s.into[r] = s.slot(h.in, i, s.of(all[r].receive, round).Bytes())
	}
	got, err := s.host.AllToAllInto(h.send, s.into)
	if err != nil {
		return err
	}
	for _, r := range s.ranks {
		into := s.of(all[r].receive, round)
		if err := checkLength(r, got[r], into); err != nil {
			return err
		}
		if err := h.writing.Write(into, got[r]); err != nil {
			return err
		}
	}
	return nil
}

// checkLength returns an error unless a message fills its destination.
func checkLength(rank int, got []byte, into cuda.Memory) error {
	if int64(len(got)) != into.Bytes() {
		return fmt.Errorf("gpu: rank %d sent %d bytes of the %d that it announced", rank, len(got), into.Bytes())
	}
	return nil
}

func (s *staging) close() error {
	var faults []error
	for _, h := range s.halves {
		faults = append(faults, cuda.Free(h.reading, h.writing), cuda.Free(h.out, h.in))
	}
	return errors.Join(faults...)
}
