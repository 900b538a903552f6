package comm

import "fmt"

// checkInto returns an error if there is not one message and one buffer per rank.
func checkInto(send, into [][]byte, ranks int) error {
	if len(send) != ranks || len(into) != ranks {
		return fmt.Errorf("comm: AllToAllInto with %d messages and %d buffers for %d ranks", len(send), len(into), ranks)
	}
	return nil
}

// filled is the result of one rank's AllToAllInto. It is reused.
type filled [][]byte

// take returns the first lengths[r] bytes of each into[r]. It returns an error if a message was longer than its buffer.
func (f *filled) take(rank int, into [][]byte, lengths []int64) ([][]byte, error) {
	*f = (*f)[:0]
	for r, n := range lengths {
		if n > int64(len(into[r])) {
			return nil, wrongLength(rank, r, n, int64(len(into[r])))
		}
		*f = append(*f, into[r][:n:n])
	}
	return *f, nil
}
