// SPDX-License-Identifier: Apache-2.0

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
)

// world is the transport of a test program that mpirun has started, nil in other test programs.
var world comm.Transport

func TestMain(m *testing.M) {
	if comm.Launched().Name == "" {
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

// inWorld runs fn on a rank that mpirun has started. A rank with an error ends the job, because other ranks may wait
// for it.
func inWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(world); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", world.Rank(), err)
		os.Exit(1)
	}
	return nil
}

func TestMPITopDown(t *testing.T) { underMpirun(t, bfs.NewTopDown, 1, 4) }

func TestMPIHybrid(t *testing.T) { underMpirun(t, bfs.NewHybrid(2), 2, 7) }

func TestMPIHybrid64(t *testing.T) { underMpirun(t, bfs.NewHybrid64(2), 3) }

// underMpirun runs the suite on the ranks of mpirun. Without mpirun, it starts the test program with mpirun for several
// numbers of ranks: of each engine some, of all engines together every one that comm is tested on.
func underMpirun(t *testing.T, engine bfs.New, ranks ...int) {
	if world != nil {
		bfstest.Run(t, engine, inWorld, world.Size())
		bfstest.RunDirected(t, engine, inWorld, world.Size())
		return
	}
	self := "-test.run=^" + t.Name() + "$"
	for _, n := range commtest.RanksOfMPI(t, ranks...) {
		t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) {
			out, err := commtest.Mpirun(t.Context(), t, n, os.Args[0], self).CombinedOutput()
			if err != nil || strings.Contains(string(out), "no tests to run") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
