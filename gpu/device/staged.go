//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// StagingBytes is the size of each of the four buffers, in pinned host memory, of the way by the hosts. Tests make them
// smaller: nearly all of their time would go by taking them.
var StagingBytes int64 = 32 << 20

// staging carries words by way of the hosts, in pieces: while one is between the hosts, the next comes from the device
// and the one before goes to it.
type staging struct {
	host   comm.Transport
	ranks  []int // that are no peers of this one
	piece  int64 // bytes from one rank to another at a time
	halves [2]half

	into [][]byte // of AllToAllInto, by rank
}

// half is what every second piece goes through.
type half struct {
	out, in          *cuda.Pinned
	reading, writing *cuda.Lane
	send             [][]byte // by rank: what is being read from the device into out
}

// newStaging prepares for messages to some ranks, in pieces of so many bytes, the same on all ranks.
func newStaging(t comm.Transport, d *cuda.Device, ranks []int, piece int64) (s *staging, err error) {
	s = &staging{host: t, ranks: ranks, piece: max(piece&^7, 8), into: make([][]byte, t.Size())}
	for i := range s.halves {
		s.halves[i].send = make([][]byte, t.Size())
		if err := s.halves[i].open(d, int64(len(ranks))*s.piece); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

func (h *half) open(d *cuda.Device, bytes int64) (err error) {
	if h.out, err = d.AllocPinned("messages to other ranks", bytes); err != nil {
		return err
	}
	if h.in, err = d.AllocPinned("messages from other ranks", bytes); err != nil {
		return err
	}
	if h.reading, err = d.NewLane(); err != nil {
		return err
	}
	h.writing, err = d.NewLane()
	return err
}

// String says for people how the words go.
func (s *staging) String() string { return "staged in host memory" }

// move makes the same number of rounds on all ranks, by longest.
func (s *staging) move(all []transfer, longest int64) error {
	rounds := int((longest + s.piece - 1) / s.piece)
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

// of is a round's piece of a message.
func (s *staging) of(message cuda.Memory, round int) cuda.Memory {
	at := min(int64(round)*s.piece, message.Bytes())
	return message.Part(at, min(s.piece, message.Bytes()-at))
}

// slot is the place of the i-th rank in a buffer.
func (s *staging) slot(buffer *cuda.Pinned, i int, bytes int64) []byte {
	return buffer.Bytes[int64(i)*s.piece:][:bytes:bytes]
}

// read starts to bring a round's pieces from the device. What goes to several ranks is read once.
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

// swap exchanges a round's pieces and starts to bring what came to the device.
func (s *staging) swap(all []transfer, round int) error {
	h := &s.halves[round%2]
	if err := h.writing.Wait(); err != nil { // the piece of two rounds ago has left the buffer
		return err
	}
	for i, r := range s.ranks {
		s.into[r] = s.slot(h.in, i, s.of(all[r].here, round).Bytes())
	}
	got, err := s.host.AllToAllInto(h.send, s.into)
	if err != nil {
		return err
	}
	for _, r := range s.ranks {
		place := s.of(all[r].here, round)
		if err := checkLength(r, got[r], place); err != nil {
			return err
		}
		if err := h.writing.Write(place, got[r]); err != nil {
			return err
		}
	}
	return nil
}

func checkLength(rank int, got []byte, place cuda.Memory) error {
	if int64(len(got)) != place.Bytes() {
		return fmt.Errorf("gpu: rank %d sent %d bytes of the %d that it announced", rank, len(got), place.Bytes())
	}
	return nil
}

func (s *staging) close() error {
	var faults []error
	for _, h := range s.halves {
		for _, lane := range []*cuda.Lane{h.reading, h.writing} {
			if lane != nil {
				faults = append(faults, lane.Close())
			}
		}
		for _, buffer := range []*cuda.Pinned{h.out, h.in} {
			if buffer != nil {
				faults = append(faults, buffer.Free())
			}
		}
	}
	return errors.Join(faults...)
}
