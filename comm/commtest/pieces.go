package commtest

import (
	"bytes"
	"errors"
	"fmt"

	"g500/comm"
)

// cutMessages are Pieces that are not ready at first. Pieces in flight have memory of their own, which is used again.
type cutMessages struct {
	piece   int // bytes
	send    [][]byte
	recv    [][]byte // so far
	expect  []int    // bytes
	out, in map[[2]int][]byte
	asked   int
}

// part returns the bytes of piece i of a message with that many.
func (c *cutMessages) part(bytes, i int) (from, to int) {
	return c.piece * i, min(bytes, c.piece*(i+1))
}

func (c *cutMessages) Counts(rank int) (sent, received int) {
	return (len(c.send[rank]) + c.piece - 1) / c.piece, (c.expect[rank] + c.piece - 1) / c.piece
}

// slot returns memory for a piece, filled, or nil two times out of three.
func (c *cutMessages) slot(of map[[2]int][]byte, rank, i, bytes int) []byte {
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

func (c *cutMessages) Out(rank, i int) ([]byte, error) {
	from, to := c.part(len(c.send[rank]), i)
	piece := c.slot(c.out, rank, i, to-from)
	copy(piece, c.send[rank][from:to])
	return piece, nil
}

func (c *cutMessages) In(rank, i int) ([]byte, error) {
	from, to := c.part(c.expect[rank], i)
	return c.slot(c.in, rank, i, to-from), nil
}

func (c *cutMessages) Arrived(rank, i int) error {
	from, to := c.part(c.expect[rank], i)
	if len(c.recv[rank]) != from {
		return fmt.Errorf("piece %d from rank %d arrives after %d bytes", i, rank, len(c.recv[rank]))
	}
	c.recv[rank] = append(c.recv[rank], c.in[[2]int{rank, i % comm.PiecesInFlight}][:to-from]...)
	return nil
}

// swapPieces checks an AllToAllPieces with pieces of that many bytes.
func swapPieces(piece int) func(t comm.Transport, round int, length lengths) error {
	return func(t comm.Transport, round int, length lengths) error {
		others := func(from, to int) int { return boolInt(from != to) * length(from, to) }
		_, err := roundTrip(t, round, others, others, func(send [][]byte) ([][]byte, error) {
			c := &cutMessages{piece: piece, send: send, recv: make([][]byte, t.Size()), expect: make([]int, t.Size()),
				out: map[[2]int][]byte{}, in: map[[2]int][]byte{}}
			for r := range c.expect {
				c.expect[r] = others(r, t.Rank())
			}
			err := t.AllToAllPieces(c)
			return c.recv, err
		})
		return err
	}
}

// piecesThatFail: the error of a rank's Pieces is the error of its AllToAllPieces.
func piecesThatFail(t comm.Transport, n int) error {
	if n == 1 {
		return nil
	}
	errPlanted := errors.New("planted fault")
	p := &failingPieces{cutMessages{piece: 8, send: make([][]byte, n), recv: make([][]byte, n), expect: make([]int, n)},
		errPlanted}
	p.send[(t.Rank()+1)%n] = bytes.Repeat([]byte{1}, 8)
	if err := t.AllToAllPieces(p); !errors.Is(err, errPlanted) {
		return fmt.Errorf("a piece that cannot be made gives %v", err)
	}
	return nil
}

// failingPieces fails to make its pieces.
type failingPieces struct {
	cutMessages
	err error
}

func (f *failingPieces) Out(int, int) ([]byte, error) { return nil, f.err }
