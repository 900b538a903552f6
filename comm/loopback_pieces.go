// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// loopPiece is one end of a piece of a message.
type loopPiece struct {
	data  []byte
	moved atomic.Int64 // length of the other end's memory plus 1, when the data are copied
}

// pieceKey identifies a piece by its sender, its receiver, and its number.
type pieceKey struct{ from, to, number int }

// pieceEnds has the ends of pieces whose other end has not been started.
type pieceEnds struct {
	mu      sync.Mutex
	waiting map[pieceKey]*loopPiece
}

// start copies the piece if its other end waits, or makes this end wait.
func (p *pieceEnds) start(key pieceKey, receives bool, own *loopPiece) {
	p.mu.Lock()
	other, waits := p.waiting[key]
	if waits {
		delete(p.waiting, key)
	} else {
		p.waiting[key] = own
	}
	p.mu.Unlock()
	switch {
	case !waits:
		return
	case receives:
		copy(own.data, other.data)
	default:
		copy(other.data, own.data)
	}
	own.moved.Store(int64(len(other.data)) + 1)
	other.moved.Store(int64(len(own.data)) + 1)
}

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

func (l *loopPieces) start(f *flow) (bool, error) {
	own := &loopPiece{data: f.next}
	l.inFlight[flowPiece{f.rank, f.slot(f.started), f.receives}] = own
	from, to := l.t.rank, f.rank
	if f.receives {
		from, to = to, from
	}
	l.t.world.pieces.start(pieceKey{from, to, f.number(f.started)}, f.receives, own)
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
