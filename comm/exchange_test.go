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
