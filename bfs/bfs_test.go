package bfs_test

import (
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
)

// ranksOf returns the numbers of ranks to test; short tests, for the race detector, use three ranks.
func ranksOf(ranks ...int) []int {
	if testing.Short() {
		return []int{3}
	}
	return ranks
}

func TestTopDown(t *testing.T) { bfstest.Run(t, bfs.NewTopDown, comm.Loopback, ranksOf(1, 3, 4)...) }

func TestHybrid(t *testing.T) {
	bfstest.Run(t, bfs.NewHybrid(1), comm.Loopback, ranksOf(2, 4)...)
	bfstest.Run(t, bfs.NewHybrid(3), comm.Loopback, ranksOf(1, 3, 7)...)
}

func TestDirected(t *testing.T) {
	bfstest.RunDirected(t, bfs.NewTopDown, comm.Loopback, ranksOf(1, 3)...)
	bfstest.RunDirected(t, bfs.NewHybrid(1), comm.Loopback, ranksOf(1, 2, 4)...)
	bfstest.RunDirected(t, bfs.NewHybrid(3), comm.Loopback, ranksOf(1, 3)...)
	bfstest.RunDirected(t, bfs.NewHybrid64(3), comm.Loopback, ranksOf(1, 4)...)
}

func TestHybrid64(t *testing.T) {
	bfstest.Run(t, bfs.NewHybrid64(3), comm.Loopback, ranksOf(1, 4)...)
}
