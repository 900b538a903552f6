//go:build cuda && mpi && cgo

package gpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
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

// underMpirun runs a test on the ranks that there are. Started alone, it starts itself on 2 and on 4.
func underMpirun(t *testing.T, test func(t *testing.T)) {
	if world != nil {
		test(t)
		return
	}
	for _, ranks := range []int{2, 4} {
		t.Run(fmt.Sprintf("ranks=%d", ranks), func(t *testing.T) {
			mpirun(t, "-np", strconv.Itoa(ranks), os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$")
		})
	}
}

func mpirun(t *testing.T, args ...string) {
	t.Helper()
	path, err := exec.LookPath("mpirun")
	if err != nil {
		t.Skip("mpirun is missing: install Open MPI (apt-get install openmpi-bin)")
	}
	job := exec.CommandContext(t.Context(), path, append([]string{"--oversubscribe", "--bind-to", "none"}, args...)...)
	job.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	out, err := job.CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestConformanceOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) {
		for _, way := range waysToSearch {
			bfstest.Run(t, engineWith(way), inWorld, world.Size())
		}
	})
}

func TestTransportOnMPI(t *testing.T) {
	underMpirun(t, func(t *testing.T) { testTransport(t, inWorld, world.Size()) })
}
