package commtest

import (
	"bytes"
	"fmt"
	"strings"

	"g500/comm"
)

// sendRecv: each two ranks exchange messages, one pair after the other, while the others are elsewhere.
func sendRecv(t comm.Transport, n int) error {
	for round, counts := range [][2]int{{1, 1}, {1, 0}, {0, 1}, {64, 1}, {0, 0}, {3, 2}} {
		for high := range n {
			for low := range high {
				peer, sends, recvs := high, counts[0], counts[1]
				if t.Rank() == high {
					peer, sends, recvs = low, counts[1], counts[0]
				}
				if t.Rank() != low && t.Rank() != high {
					continue
				}
				if err := withPeer(t, peer, round, [2]int{sends, recvs}); err != nil {
					return err
				}
			}
		}
	}
	return t.Barrier()
}

// withPeer exchanges messages of several lengths, empty ones too, and checks what comes.
func withPeer(t comm.Transport, peer, round int, counts [2]int) error {
	size := func(i int) int { return i * i * (round + 1) % 100_003 }
	send, recv := make([][]byte, counts[0]), make([][]byte, counts[1])
	for i := range send {
		send[i] = make([]byte, size(i))
		message(send[i], t.Rank(), peer, i)
	}
	for i := range recv {
		recv[i] = make([]byte, size(i))
	}
	if err := t.SendRecv(peer, send, recv); err != nil {
		return err
	}
	for _, s := range send {
		clear(s) // send may be reused at once
	}
	for i, got := range recv {
		want := make([]byte, size(i))
		message(want, peer, t.Rank(), i)
		if !bytes.Equal(got, want) {
			return fmt.Errorf("round %d: message %d of %d bytes from rank %d is not what it sent", round, i, len(got), peer)
		}
	}
	return nil
}

// sendRecvLarge: messages of megabytes, both ways at once.
func sendRecvLarge(t comm.Transport, n int) error {
	if peer := t.Rank() ^ 1; peer < n {
		send, recv := make([]byte, 5<<20), make([]byte, 5<<20)
		want := make([]byte, len(recv))
		message(send, t.Rank(), peer, 0)
		message(want, peer, t.Rank(), 0)
		if err := t.SendRecv(peer, [][]byte{send}, [][]byte{recv}); err != nil {
			return err
		}
		if !bytes.Equal(recv, want) {
			return fmt.Errorf("a long message from rank %d is not what it sent", peer)
		}
	}
	return t.Barrier()
}

// sendRecvRefusals: a peer that is none, on every rank alike.
func sendRecvRefusals(t comm.Transport, n int) error {
	for _, peer := range []int{-1, t.Rank(), n} {
		if err := t.SendRecv(peer, nil, nil); err == nil || !strings.Contains(err.Error(), "cannot exchange") {
			return fmt.Errorf("SendRecv with rank %d of %d ends with %v", peer, n, err)
		}
	}
	return nil
}
