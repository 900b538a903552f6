package bfs_test

import (
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
)

func TestTopDown(t *testing.T) { bfstest.Run(t, bfs.NewTopDown, comm.Loopback, 1, 2, 3, 4, 7) }

func TestHybrid(t *testing.T) {
	for _, workers := range []int{1, 3} {
		bfstest.Run(t, bfs.NewHybrid(workers), comm.Loopback, 1, 2, 3, 4, 7)
	}
}
