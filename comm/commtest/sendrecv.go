package commtest

import (
	"bytes"
	"fmt"
	"strings"

	"g500/comm"
)

// sendRecv: the pairs of ranks exchange messages, one pair after the other; the other ranks do not take part.
func sendRecv(t comm.Transport, n int) error {
	for round, counts := range [][2]int{{1, 1}, {1, 0}, {0, 1}, {64, 1}, {0, 0}, {3, 2}} {
		for high := range n {
			for low := range high {
				var err error
				switch t.Rank() {
				case low:
					err = withPeer(t, high, round, counts)
				case high:
					err = withPeer(t, low, round, [2]int{counts[1], counts[0]})
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return t.Barrier()
}

// withPeer sends counts[0] messages of several lengths, some empty, and checks the counts[1] received ones.
func withPeer(t comm.Transport, peer, round int, counts [2]int) error {
	size := func(i int) int { return i * i * (round + 1) % 100_003 }
	send, recv := make([][]byte, counts[0]), make([][]byte, counts[1])
	for i := range send {
		send[i] = message(size(i), t.Rank(), peer, i)
	}
	for i := range recv {
		recv[i] = make([]byte, size(i))
	}
	if err := t.SendRecv(peer, send, recv); err != nil {
		return err
	}
	for _, s := range send {
		clear(s) // because the caller may reuse send at once
	}
	for i, got := range recv {
		if !bytes.Equal(got, message(size(i), peer, t.Rank(), i)) {
			return fmt.Errorf("round %d: message %d of %d bytes from rank %d is wrong", round, i, len(got), peer)
		}
	}
	return nil
}

// sendRecvLarge: messages of megabytes in both directions at once.
func sendRecvLarge(t comm.Transport, n int) error {
	if peer := t.Rank() ^ 1; peer < n {
		recv := make([]byte, 5<<20)
		if err := t.SendRecv(peer, [][]byte{message(len(recv), t.Rank(), peer, 0)}, [][]byte{recv}); err != nil {
			return err
		}
		if !bytes.Equal(recv, message(len(recv), peer, t.Rank(), 0)) {
			return fmt.Errorf("a long message from rank %d is wrong", peer)
		}
	}
	return t.Barrier()
}

// sendRecvRefusals: every rank refuses ranks that cannot be its peer.
func sendRecvRefusals(t comm.Transport, n int) error {
	for _, peer := range []int{-1, t.Rank(), n} {
		if err := t.SendRecv(peer, nil, nil); err == nil || !strings.Contains(err.Error(), "cannot exchange") {
			return fmt.Errorf("SendRecv with rank %d of %d ends with %v", peer, n, err)
		}
	}
	return nil
}
