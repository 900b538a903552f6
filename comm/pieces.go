// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"runtime"
	"slices"
	"sync/atomic"
)

// ManyThreads makes MPI start with a thread level at which several threads move the pieces of AllToAllPieces, if the
// library has it. It is set before MPI starts.
var ManyThreads bool

// pieceLanes is the number of threads that can move pieces: pieces with the same remainder are in one lane.
const pieceLanes = 4

// PiecesInFlight is the number of pieces that AllToAllPieces sends to a rank at the same time, and receives from it.
const PiecesInFlight = 2 * pieceLanes

// Pieces are the messages of this rank's AllToAllPieces, as numbered pieces: rank a sends piece i to rank b into the
// memory for piece i from rank a. Both ranks know the number and the lengths of the pieces, which are not empty.
// Several goroutines may call the methods at once, for pieces whose numbers differ by no multiple of PiecesInFlight.
type Pieces interface {
	// Enter prepares the calling goroutine for calls of Out, In and Arrived, until leave.
	Enter() (leave func(), err error)
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
	// start starts to move a flow's next piece, or reports that this is not possible yet.
	start(f *flow) (bool, error)
	// done reports whether the flow's first unfinished piece has moved.
	done(f *flow) (bool, error)
}

// flow has the pieces of one lane from this rank to another one, or from another one to this rank.
type flow struct {
	rank, lane         int // the other rank
	receives           bool
	all, started, done int    // numbers of pieces
	next               []byte // the next piece to start, if it is ready
}

// number returns the number of the flow's piece i among all pieces between the ranks.
func (f *flow) number(i int) int { return f.lane + i*pieceLanes }

// slot returns the number of the flow's piece i among those in flight.
func (f *flow) slot(i int) int { return f.number(i) % PiecesInFlight }

func (f *flow) ended() bool { return f.done == f.all }

// pieceLoop moves pieces in one goroutine.
type pieceLoop struct {
	rank, ranks int
	p           Pieces
	by          pieceMover
	open        []flow // reused
}

// run moves the pieces of the lanes from first to last, until stop is set.
func (l *pieceLoop) run(first, last int, stop *atomic.Bool) error {
	leave, err := l.p.Enter()
	if err != nil {
		return err
	}
	defer leave()
	l.open = l.open[:0]
	for lane := first; lane <= last; lane++ {
		l.add(lane)
	}
	for len(l.open) > 0 && !stop.Load() {
		ended := false
		for i := range l.open {
			f := &l.open[i]
			if err := f.step(l.p, l.by); err != nil {
				return err
			}
			ended = ended || f.ended()
		}
		if ended {
			l.open = slices.DeleteFunc(l.open, func(f flow) bool { return f.ended() })
		}
	}
	return nil
}

// add adds the flows of a lane, beginning with the ranks next to this one, so that not all send to one rank at once.
func (l *pieceLoop) add(lane int) {
	for i := 1; i < l.ranks; i++ {
		to, from := (l.rank+i)%l.ranks, (l.rank+l.ranks-i)%l.ranks
		sent, _ := l.p.Counts(to)
		_, received := l.p.Counts(from)
		for _, f := range [2]flow{{rank: from, all: received, receives: true}, {rank: to, all: sent}} {
			f.lane, f.all = lane, (f.all-lane+pieceLanes-1)/pieceLanes
			if f.all > 0 {
				l.open = append(l.open, f)
			}
		}
	}
}

// step starts a piece and ends a piece, if that is possible without waiting.
func (f *flow) step(p Pieces, by pieceMover) (err error) {
	if f.started < min(f.all, f.done+PiecesInFlight/pieceLanes) {
		if err := f.start(p, by); err != nil {
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
		return p.Arrived(f.rank, f.number(f.done-1))
	}
	return nil
}

// start starts the next piece if it is ready.
func (f *flow) start(p Pieces, by pieceMover) (err error) {
	if f.next == nil && f.receives {
		f.next, err = p.In(f.rank, f.number(f.started))
	} else if f.next == nil {
		f.next, err = p.Out(f.rank, f.number(f.started))
	}
	if err != nil || f.next == nil {
		return err
	}
	started, err := by.start(f)
	if started {
		f.next = nil
		f.started++
	}
	return err
}

// loopPiece is one end of a piece of a message.
type loopPiece struct {
	data  []byte
	moved atomic.Int64 // length of the other end's memory plus 1, when the data are copied
}

// pieceKey identifies a piece by its sender, its receiver, and its number.
type pieceKey struct{ from, to, number int }

// loopPieces has the pieces in flight of one rank's AllToAllPieces.
type loopPieces struct {
	t        *loopback
	inFlight map[flowPiece]*loopPiece
}

// flowPiece identifies a piece in flight.
type flowPiece struct {
	rank, slot int
	receives   bool
}

// AllToAllPieces copies a piece when both its ranks have started it.
func (t *loopback) AllToAllPieces(p Pieces) error {
	loop := pieceLoop{rank: t.rank, ranks: t.world.n, p: p, by: &loopPieces{t, map[flowPiece]*loopPiece{}}}
	return loop.run(0, pieceLanes-1, new(atomic.Bool))
}

// start copies the piece if its other end waits, or makes this end wait.
func (l *loopPieces) start(f *flow) (bool, error) {
	own := &loopPiece{data: f.next}
	l.inFlight[flowPiece{f.rank, f.slot(f.started), f.receives}] = own
	key := pieceKey{l.t.rank, f.rank, f.number(f.started)}
	if f.receives {
		key.from, key.to = key.to, key.from
	}
	waiting, waits := l.t.world.pieces.LoadOrStore(key, own)
	if !waits {
		return true, nil
	}
	l.t.world.pieces.Delete(key)
	other := waiting.(*loopPiece)
	if f.receives {
		copy(own.data, other.data)
	} else {
		copy(other.data, own.data)
	}
	own.moved.Store(int64(len(other.data)) + 1)
	other.moved.Store(int64(len(own.data)) + 1)
	return true, nil
}

func (l *loopPieces) done(f *flow) (bool, error) {
	own := l.inFlight[flowPiece{f.rank, f.slot(f.done), f.receives}]
	moved := own.moved.Load()
	switch {
	case moved == 0 && l.t.world.barrier.broken.Load():
		return false, ErrAborted
	case moved == 0:
		runtime.Gosched()
		return false, nil
	case f.receives:
		return true, fits(l.t.rank, f.rank, int(moved-1), len(own.data))
	}
	return true, nil
}
