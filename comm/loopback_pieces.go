// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// loopPiece is a piece of a message whose sender or receiver has come first.
type loopPiece struct {
	data  []byte
	moved atomic.Int64 // length of the other end's memory plus 1, when the data are copied
}

// pieceQueue has the pieces from one rank to another that only one of them has started.
type pieceQueue struct {
	mu       sync.Mutex
	waiting  []*loopPiece
	receives bool // the receiver waits
}

// start copies the first waiting piece of the other rank, or waits for one.
func (q *pieceQueue) start(receives bool, own *loopPiece) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || q.receives == receives {
		q.receives, q.waiting = receives, append(q.waiting, own)
		return
	}
	other := q.waiting[0]
	q.waiting = q.waiting[1:]
	if receives {
		copy(own.data, other.data)
	} else {
		copy(other.data, own.data)
	}
	own.moved.Store(int64(len(other.data)) + 1)
	other.moved.Store(int64(len(own.data)) + 1)
}

// pieceQueues has the queues of a Loopback's pairs of ranks that have moved pieces.
type pieceQueues struct {
	mu  sync.Mutex
	all map[[2]int]*[pieceLanes]pieceQueue // by sender and receiver
}

// of returns the queues from one rank to another.
func (p *pieceQueues) of(from, to int) *[pieceLanes]pieceQueue {
	p.mu.Lock()
	defer p.mu.Unlock()
	pair := [2]int{from, to}
	if p.all[pair] == nil {
		if p.all == nil {
			p.all = map[[2]int]*[pieceLanes]pieceQueue{}
		}
		p.all[pair] = new([pieceLanes]pieceQueue)
	}
	return p.all[pair]
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
	l.t.world.pieces.of(from, to)[f.lane].start(f.receives, own)
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
