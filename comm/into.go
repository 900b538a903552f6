package comm

import "fmt"

// checkInto refuses what no rank can send or receive.
func checkInto(send, into [][]byte, ranks int) error {
	if len(send) != ranks || len(into) != ranks {
		return fmt.Errorf("comm: AllToAllInto with %d messages and room for %d, for %d ranks", len(send), len(into), ranks)
	}
	return nil
}

// filled is the result of one rank's AllToAllInto, kept from call to call.
type filled [][]byte

// take returns the fronts of into, of the given lengths. A message that had no room is an error.
func (f *filled) take(rank int, into [][]byte, lengths []int64) ([][]byte, error) {
	*f = (*f)[:0]
	for r, n := range lengths {
		if n > int64(len(into[r])) {
			return nil, fmt.Errorf("comm: rank %d sent %d bytes to rank %d, which has room for %d", r, n, rank, len(into[r]))
		}
		*f = append(*f, into[r][:n:n])
	}
	return *f, nil
}
