package comm

import (
	"fmt"
	"sync"
)

// checkPeer returns an error if peer is not another rank.
func checkPeer(peer, rank, ranks int) error {
	if peer < 0 || peer >= ranks || peer == rank {
		return fmt.Errorf("comm: rank %d cannot exchange messages with rank %d of %d", rank, peer, ranks)
	}
	return nil
}

// wrongLength returns the error of a rank that receives a message whose length does not fit its buffer, in bytes.
func wrongLength(rank, peer int, got, buffer int64) error {
	return fmt.Errorf("comm: rank %d sent %d bytes to rank %d, whose buffer has %d", peer, got, rank, buffer)
}

// pairs has the shared state of SendRecv and AllToAllPieces for the pairs of ranks of a Loopback that have called it.
type pairs struct {
	mu      sync.Mutex
	all     map[[2]int]*pair // by the lower and the higher rank
	aborted bool
}

// pair is the state of two ranks. offered has the messages of the lower rank, then of the higher one.
type pair struct {
	barrier *barrier
	offered [2][][]byte
	pieces  [2][pieceLanes]pieceQueue // of AllToAllPieces, from the lower rank and from the higher one
}

func (p *pairs) of(a, b int) *pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := [2]int{min(a, b), max(a, b)}
	if p.all[key] == nil {
		if p.all == nil {
			p.all = map[[2]int]*pair{}
		}
		p.all[key] = &pair{barrier: newBarrier(2)}
		if p.aborted {
			p.all[key].barrier.abort()
		}
	}
	return p.all[key]
}

// abort ends all present and later calls of SendRecv.
func (p *pairs) abort() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.aborted = true
	for _, one := range p.all {
		one.barrier.abort()
	}
}

// SendRecv copies the received messages between two barriers of the pair.
func (t *loopback) SendRecv(peer int, send, recv [][]byte) error {
	if err := checkPeer(peer, t.rank, t.world.n); err != nil {
		return err
	}
	p, mine := t.world.pairs.of(t.rank, peer), 0
	if t.rank > peer {
		mine = 1
	}
	p.offered[mine] = send
	if err := p.barrier.wait(); err != nil {
		return err
	}
	theirs := p.offered[1-mine]
	if len(theirs) != len(recv) {
		return fmt.Errorf("comm: rank %d sent %d messages to rank %d, which expects %d",
			peer, len(theirs), t.rank, len(recv))
	}
	for i, message := range theirs {
		if len(message) != len(recv[i]) {
			return wrongLength(t.rank, peer, int64(len(message)), int64(len(recv[i])))
		}
		copy(recv[i], message)
	}
	return p.barrier.wait()
}
