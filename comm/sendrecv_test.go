package comm_test

import (
	"errors"
	"testing"

	"g500/comm"
)

// SendRecv returns if the peer or another rank fails.
func TestLoopbackSendRecvFailure(t *testing.T) {
	for _, peers := range [][]int{{2, 2, -1, 2}, {1, 0, -1, 2}} {
		err := loopback(t, 4, func(tr comm.Transport) error {
			if tr.Rank() == 2 {
				return errPlanted
			}
			for {
				if err := tr.SendRecv(peers[tr.Rank()], nil, nil); err != nil {
					if !errors.Is(err, comm.ErrAborted) {
						t.Errorf("SendRecv returns %v after another rank has failed", err)
					}
					return err
				}
			}
		})
		wantReason(t, err, 2, "planted fault")
	}
}

// Messages that do not fit the buffers are an error of the receiving rank.
func TestLoopbackSendRecvMismatch(t *testing.T) {
	for reason, send := range map[string][][]byte{
		"rank 0 sent 2 messages to rank 1, which expects 1":       {nil, nil},
		"rank 0 sent 3 bytes to rank 1, whose buffer has 2":       {make([]byte, 3)},
		"comm: rank 0 sent 1 bytes to rank 1, whose buffer has 2": {make([]byte, 1)},
	} {
		err := loopback(t, 2, func(tr comm.Transport) error {
			if tr.Rank() == 0 {
				return tr.SendRecv(1, send, nil)
			}
			return tr.SendRecv(0, nil, [][]byte{make([]byte, 2)})
		})
		wantReason(t, err, 1, reason)
	}
}
