// SPDX-License-Identifier: Apache-2.0

package comm

import "fmt"

// checkInto returns an error if there is not one message and one buffer per rank, or if the rank's message to itself
// does not fit.
func checkInto(send, into [][]byte, rank, ranks int) error {
	if len(send) != ranks || len(into) != ranks {
		return fmt.Errorf("comm: AllToAllInto with %d messages and %d buffers for %d ranks", len(send), len(into), ranks)
	}
	return fits(rank, rank, len(send[rank]), len(into[rank]))
}

// fits returns an error if a message of a sender does not have the length of its buffer on a rank, in bytes.
func fits(rank, sender, message, buffer int) error {
	if message == buffer {
		return nil
	}
	return fmt.Errorf("comm: rank %d sent %d bytes to rank %d, whose buffer has %d", sender, message, rank, buffer)
}
