// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package bfs_test

import (
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm/commtest"
	"g500/internal/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func TestMPITopDown(t *testing.T) { underMpirun(t, bfs.NewTopDown, 1, 4) }

func TestMPIHybrid(t *testing.T) { underMpirun(t, bfs.NewHybrid(2), 2, 7) }

func TestMPIHybrid64(t *testing.T) { underMpirun(t, bfs.NewHybrid64(2), 3) }

// underMpirun runs the suite under mpirun for several numbers of ranks: of each engine some, of all engines together
// every one that comm is tested on.
func underMpirun(t *testing.T, engine bfs.New, ranks ...int) {
	enginetest.UnderMpirun(t, func(t *testing.T) {
		bfstest.Run(t, engine, enginetest.InWorld, enginetest.World.Size())
		bfstest.RunDirected(t, engine, enginetest.InWorld, enginetest.World.Size())
	}, commtest.RanksOfMPI(t, ranks...)...)
}
