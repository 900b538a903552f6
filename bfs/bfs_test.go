package bfs_test

import (
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph/csr"
)

// ranksOf are numbers of ranks under test. The race detector's tests are short ones, on three ranks.
func ranksOf(ranks ...int) []int {
	if testing.Short() {
		return []int{3}
	}
	return ranks
}

func TestTopDown(t *testing.T) { bfstest.Run(t, bfs.NewTopDown, comm.Loopback, ranksOf(1, 3, 4)...) }

// Each number of ranks is tried, with and without other goroutines; of wide positions, of which the code is the same,
// those that have an edge of their own in the suite.
func TestHybrid(t *testing.T) {
	bfstest.Run(t, bfs.NewHybrid(1), comm.Loopback, ranksOf(2, 4)...)
	bfstest.Run(t, bfs.NewHybrid(3), comm.Loopback, ranksOf(1, 3, 7)...)
}

func TestHybridOfWidePositions(t *testing.T) {
	bfstest.Run(t, bfs.NewHybridOf[csr.Pos64](3), comm.Loopback, ranksOf(1, 4)...)
}
