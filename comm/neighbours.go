package comm

import "fmt"

// Neighbours are the ranks that one sends to, and those that send to it.
type Neighbours struct{ To, From []int }

// check refuses what no rank can send or receive.
func (n Neighbours) check(rank, messages, ranks int) error {
	if messages != ranks {
		return fmt.Errorf("comm: NeighbourAllToAll with %d messages for %d ranks", messages, ranks)
	}
	for _, some := range [][]int{n.To, n.From} {
		for _, r := range some {
			if r < 0 || r >= ranks || r == rank {
				return fmt.Errorf("comm: rank %d cannot be a neighbour of rank %d among %d", r, rank, ranks)
			}
		}
	}
	return nil
}
