package comm

import "slices"

// PiecesInFlight is the number of pieces that AllToAllPieces sends to a rank at the same time, and receives from it.
const PiecesInFlight = 4

// Pieces are the messages of this rank's AllToAllPieces, as numbered pieces: rank a sends piece i to rank b into the
// memory for piece i from rank a. Both ranks know the number and the lengths of the pieces.
type Pieces interface {
	// Counts returns the numbers of pieces to a rank and from it.
	Counts(rank int) (sent, received int)
	// Out returns piece i to a rank, or nil if it is not ready. It is called again until the piece is ready. Then the
	// piece does not change until Out is called for piece i+PiecesInFlight.
	Out(rank, i int) (piece []byte, err error)
	// In returns the memory for piece i from a rank, or nil if it is not free, as Out does.
	In(rank, i int) (memory []byte, err error)
	// Arrived is called when piece i from a rank fills its memory.
	Arrived(rank, i int) error
}

// pieceMover starts and ends pieces of flows without waiting.
type pieceMover interface {
	// start starts to move a flow's next piece.
	start(f *flow, piece []byte) error
	// done reports whether the flow's first unfinished piece has moved.
	done(f *flow) (bool, error)
}

// flow has the pieces from this rank to another one, or from another one to this rank.
type flow struct {
	rank               int // the other one
	receives           bool
	all, started, done int // numbers of pieces
}

// slot returns the number of a piece among those in flight.
func (f *flow) slot(piece int) int { return piece % PiecesInFlight }

// movePieces is AllToAllPieces on one rank.
func movePieces(rank, ranks int, p Pieces, by pieceMover) error {
	var open []flow
	for i := 1; i < ranks; i++ { // so that not all ranks send to the same one at once
		to, from := (rank+i)%ranks, (rank+ranks-i)%ranks
		sent, _ := p.Counts(to)
		_, received := p.Counts(from)
		open = append(open, flow{rank: from, receives: true, all: received}, flow{rank: to, all: sent})
	}
	ended := func(f flow) bool { return f.done == f.all }
	for open = slices.DeleteFunc(open, ended); len(open) > 0; open = slices.DeleteFunc(open, ended) {
		for i := range open {
			if err := open[i].step(p, by); err != nil {
				return err
			}
		}
	}
	return nil
}

// step starts a piece and ends a piece, if that is possible without waiting.
func (f *flow) step(p Pieces, by pieceMover) error {
	if f.started < min(f.all, f.done+PiecesInFlight) {
		piece, err := f.next(p)
		if err == nil && piece != nil {
			err = by.start(f, piece)
			f.started++
		}
		if err != nil {
			return err
		}
	}
	if f.done == f.started {
		return nil
	}
	done, err := by.done(f)
	if err != nil || !done {
		return err
	}
	f.done++
	if f.receives {
		return p.Arrived(f.rank, f.done-1)
	}
	return nil
}

// next returns the piece to start, or nil if it is not ready.
func (f *flow) next(p Pieces) ([]byte, error) {
	if f.receives {
		return p.In(f.rank, f.started)
	}
	return p.Out(f.rank, f.started)
}
