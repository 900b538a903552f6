package comm_test

import (
	"testing"

	"g500/comm"
)

// Messages whose length is not a multiple of the receiver's word are refused.
func TestExchangeOfOtherWords(t *testing.T) {
	err := loopback(t, 2, func(tr comm.Transport) error {
		if tr.Rank() == 0 {
			_, err := comm.Exchange(tr, [][]uint32{{1, 2}, {1, 2, 3}})
			return err
		}
		_, err := comm.Exchange(tr, [][]uint64{{1}, {2}})
		return err
	})
	wantReason(t, err, 1, "rank 0 sent 12 bytes, not a multiple of 8")
}

// A message of another length than its buffer is an error of the receiving rank.
func TestAllToAllIntoOfOtherLengths(t *testing.T) {
	for _, c := range []struct {
		to, bytes int
		reason    string
	}{
		{1, 3, "comm: rank 0 sent 3 bytes to rank 1, whose buffer has 2"},
		{1, 1, "comm: rank 0 sent 1 bytes to rank 1, whose buffer has 2"},
		{0, 3, "comm: rank 0 sent 3 bytes to rank 0, whose buffer has 2"},
	} {
		err := loopback(t, 2, func(tr comm.Transport) error {
			send, into := [][]byte{make([]byte, 2), make([]byte, 2)}, [][]byte{make([]byte, 2), make([]byte, 2)}
			if tr.Rank() == 0 {
				send[c.to] = make([]byte, c.bytes)
			}
			return tr.AllToAllInto(send, into)
		})
		wantReason(t, err, c.to, c.reason)
	}
}
