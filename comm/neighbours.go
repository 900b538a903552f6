// SPDX-License-Identifier: Apache-2.0

package comm

import "fmt"

// Neighbours are the ranks to which a rank sends, and the ranks that send to it.
type Neighbours struct{ To, From []int }

// check returns an error if there is not one message per rank, or if a rank cannot be a neighbour.
func (n Neighbours) check(rank, messages, ranks int) error {
	if messages != ranks {
		return fmt.Errorf("comm: NeighbourAllToAll with %d messages for %d ranks", messages, ranks)
	}
	for _, some := range [][]int{n.To, n.From} {
		for _, r := range some {
			if r < 0 || r >= ranks || r == rank {
				return fmt.Errorf("comm: rank %d cannot be a neighbour of rank %d of %d", r, rank, ranks)
			}
		}
	}
	return nil
}
