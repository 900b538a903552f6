//go:build mpi && cgo

package bfs_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/comm/commtest"
	"g500/graph/csr"
)

// world is the transport of a test program that mpirun has started, nil in one that runs alone.
var world comm.Transport

func TestMain(m *testing.M) {
	if _, launcher := comm.Launcher(); launcher == "" {
		os.Exit(m.Run())
	}
	err := comm.MPI(func(t comm.Transport) error {
		world = t
		if m.Run() != 0 {
			return errors.New("the tests fail on this rank")
		}
		return nil
	})
	if err != nil {
		os.Exit(1)
	}
}

// inWorld is the launcher of a rank that runs already. A rank that sees a fault ends the job at once: the others
// wait for it somewhere.
func inWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(world); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", world.Rank(), err)
		os.Exit(1)
	}
	return nil
}

func TestMPITopDown(t *testing.T) { underMpirun(t, bfs.NewTopDown) }

func TestMPIHybrid(t *testing.T) { underMpirun(t, bfs.NewHybrid(2)) }

func TestMPIHybridOfWidePositions(t *testing.T) { underMpirun(t, bfs.NewHybridOf[csr.Pos64](2)) }

// underMpirun holds an engine to the suite on the ranks that there are. Started alone, it starts itself on each
// number of ranks.
func underMpirun(t *testing.T, engine bfs.New) {
	if world != nil {
		bfstest.Run(t, engine, inWorld, world.Size())
		return
	}
	self := "-test.run=^" + t.Name() + "$"
	for _, n := range commtest.RanksOfMPI(t) {
		t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) {
			out, err := commtest.Mpirun(t.Context(), t, n, os.Args[0], self).CombinedOutput()
			if err != nil || strings.Contains(string(out), "no tests to run") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
