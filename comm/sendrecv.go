package comm

import "fmt"

// checkPeer refuses a peer that is none.
func checkPeer(peer, rank, ranks int) error {
	if peer < 0 || peer >= ranks || peer == rank {
		return fmt.Errorf("comm: rank %d cannot exchange messages with rank %d of %d", rank, peer, ranks)
	}
	return nil
}

// wrongLength is the error of the rank that gets a message of another length than its room.
func wrongLength(rank, peer int, got, room int64) error {
	return fmt.Errorf("comm: rank %d sent %d bytes to rank %d, which has room for %d", peer, got, rank, room)
}

// pairs are what each two ranks of a Loopback share for SendRecv, the higher rank's before the lower's.
type pairs []pair

// pair is two ranks: the lower one's messages are offered in [0], the higher one's in [1].
type pair struct {
	barrier *barrier
	offered [2][][]byte
}

func newPairs(n int) pairs {
	all := make(pairs, n*(n-1)/2)
	for i := range all {
		all[i].barrier = newBarrier(2)
	}
	return all
}

func (p pairs) of(a, b int) *pair {
	low, high := min(a, b), max(a, b)
	return &p[high*(high-1)/2+low]
}

// abort wakes all who wait for a peer, for good.
func (p pairs) abort() {
	for i := range p {
		p[i].barrier.abort()
	}
}

// SendRecv copies on the receiving side, between two barriers of the pair.
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
		return fmt.Errorf("comm: rank %d sent %d messages to rank %d, which waits for %d",
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
