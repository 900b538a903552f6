package bfs_test

import (
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph/csr"
)

// rankCounts are the numbers of ranks under test. The race detector's tests are short ones.
func rankCounts() []int {
	if testing.Short() {
		return []int{3}
	}
	return []int{1, 2, 3, 4, 7}
}

func TestTopDown(t *testing.T) { bfstest.Run(t, bfs.NewTopDown, comm.Loopback, rankCounts()...) }

func TestHybrid(t *testing.T) {
	for _, workers := range []int{1, 3} {
		bfstest.Run(t, bfs.NewHybrid(workers), comm.Loopback, rankCounts()...)
	}
}

func TestHybridOfWidePositions(t *testing.T) {
	bfstest.Run(t, bfs.NewHybridOf[csr.Pos64](3), comm.Loopback, rankCounts()...)
}
