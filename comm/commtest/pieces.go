// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"errors"
	"sync"
	"testing"

	"g500/comm"
	"g500/internal/expect"
)

// Messages are Pieces that are not ready at first. Pieces in flight have memory of their own, which is used again.
type Messages struct {
	piece          int // bytes
	send, recv     [][]byte
	mu             sync.Mutex
	out, in        map[[2]int][]byte // by rank and piece in flight
	asked, arrived int
}

// NewMessages returns messages in pieces of that many bytes, to be received with these lengths.
func NewMessages(piece int, send [][]byte, lengths func(from int) int) *Messages {
	c := &Messages{piece: piece, send: send, out: map[[2]int][]byte{}, in: map[[2]int][]byte{}}
	for r := range send {
		c.recv = append(c.recv, make([]byte, lengths(r)))
	}
	return c
}

// Enter does nothing.
func (c *Messages) Enter() (leave func(), err error) { return func() {}, nil }

func (c *Messages) count(message []byte) int { return (len(message) + c.piece - 1) / c.piece }

// Counts returns the numbers of pieces to and from a rank.
func (c *Messages) Counts(rank int) (sent, received int) {
	return c.count(c.send[rank]), c.count(c.recv[rank])
}

// part returns piece i of a message.
func (c *Messages) part(message []byte, i int) []byte {
	return message[c.piece*i : min(len(message), c.piece*(i+1))]
}

// slot returns memory for a piece, filled, or nil two times out of three.
func (c *Messages) slot(of map[[2]int][]byte, rank, i, bytes int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked++; c.asked%3 != 0 {
		return nil
	}
	at := [2]int{rank, i % comm.PiecesInFlight}
	if of[at] == nil {
		of[at] = make([]byte, c.piece)
	}
	memory := of[at][:bytes:bytes]
	for i := range memory {
		memory[i] = unused
	}
	return memory
}

// Out returns a piece to a rank, or nil if it is not ready.
func (c *Messages) Out(rank, i int) ([]byte, error) {
	from := c.part(c.send[rank], i)
	piece := c.slot(c.out, rank, i, len(from))
	copy(piece, from)
	return piece, nil
}

// In returns memory for a piece from a rank, or nil if it is not ready.
func (c *Messages) In(rank, i int) ([]byte, error) {
	return c.slot(c.in, rank, i, len(c.part(c.recv[rank], i))), nil
}

// Arrived stores a piece from a rank.
func (c *Messages) Arrived(rank, i int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arrived++
	copy(c.part(c.recv[rank], i), c.in[[2]int{rank, i % comm.PiecesInFlight}])
	return nil
}

// swapPieces checks an AllToAllPieces with pieces of that many bytes.
func swapPieces(piece int) exchanging {
	return func(t testing.TB, tr comm.Transport, round int, length lengths) {
		others := func(from, to int) int { return boolInt(from != to) * length(from, to) }
		roundTrip(t, tr, round, others, others, func(send [][]byte) ([][]byte, error) {
			c := NewMessages(piece, send, func(from int) int { return others(from, tr.Rank()) })
			expect.NoError(t, tr.AllToAllPieces(c))
			want := 0
			for _, message := range c.recv {
				want += c.count(message)
			}
			expect.Equal(t, c.arrived, want, "pieces that arrive")
			return c.recv, nil
		})
	}
}

// piecesThatFail: the error of a rank's Pieces is the error of its AllToAllPieces, which stops to wait for others.
func piecesThatFail(t testing.TB, tr comm.Transport) {
	n := tr.Size()
	if n == 1 {
		return
	}
	errPlanted := errors.New("planted fault")
	send := make([][]byte, n)
	send[(tr.Rank()+1)%n] = make([]byte, 8*2*comm.PiecesInFlight)
	err := tr.AllToAllPieces(&failingPieces{NewMessages(8, send, func(int) int { return 0 }), errPlanted})
	expect.That(t, errors.Is(err, errPlanted), "a piece that cannot be made gives %v", err)
}

// failingPieces fails to make its second piece. The others are never ready.
type failingPieces struct {
	*Messages
	err error
}

func (f *failingPieces) Out(_, i int) ([]byte, error) {
	if i == 1 {
		return nil, f.err
	}
	return nil, nil
}
