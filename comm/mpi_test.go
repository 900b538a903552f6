//go:build mpi && cgo

package comm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
)

func TestMain(m *testing.M) {
	if _, launcher := comm.Launcher(); launcher == "" {
		os.Exit(m.Run())
	}
	err := comm.MPI(func(t comm.Transport) error {
		if plant := faults[os.Getenv(faultVariable)]; plant != nil {
			return plant(t)
		}
		world = t
		quietBenchmarks()
		if m.Run() != 0 {
			return errors.New("the tests fail on this rank")
		}
		return nil
	})
	if err != nil && !errors.Is(err, comm.ErrAborted) {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil {
		os.Exit(1)
	}
}

// quietBenchmarks leaves the figures to rank 0: the ranks' lines would run into one another.
func quietBenchmarks() {
	flag.Parse()
	if world.Rank() != 0 && flag.Lookup("test.bench").Value.String() != "" {
		os.Stdout = nil
	}
}

// TestMPI runs itself under mpirun on each number of ranks, and there the suite on MPI.
func TestMPI(t *testing.T) {
	if world == nil {
		for _, n := range commtest.RanksOfMPI(t) {
			t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) {
				out, err := mpirun(t.Context(), t, n, "-test.run=^TestMPI$").CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
		return
	}
	t.Run("whole", func(t *testing.T) { commtest.Run(t, inWorld, world.Size()) })
	t.Run("once", func(t *testing.T) {
		if err := comm.MPI(func(comm.Transport) error { return nil }); err == nil {
			t.Error("MPI starts a second time")
		}
	})
	// The library says the same of itself as the program that describes it.
	t.Run("CUDAAware", func(t *testing.T) {
		if !strings.HasPrefix(comm.MPIVersion(), "Open MPI") {
			t.Skip("no program describes this library")
		}
		out, err := exec.CommandContext(t.Context(), "ompi_info", "--parsable", "--all").Output()
		if err != nil {
			t.Skip("ompi_info is missing: install Open MPI (apt-get install openmpi-bin)")
		}
		want := strings.Contains(string(out), "mpi_built_with_cuda_support:value:true")
		if got := comm.CUDAAware(); got != want {
			t.Errorf("CUDAAware() is %v, ompi_info says %v", got, want)
		}
	})
	// With a low limit on what a call carries, long messages go in many parts, whose last is short.
	t.Run("cut", func(t *testing.T) {
		defer comm.SetMPICut(1021)()
		commtest.Run(t, inWorld, world.Size())
	})
	for _, cut := range []int{1, 2, 3} { // the lowest limits there are: a word, and fewer words than ranks
		t.Run(fmt.Sprintf("cut=%d", cut), func(t *testing.T) {
			defer comm.SetMPICut(cut)()
			commtest.RunShort(t, inWorld, world.Size())
		})
	}
	// As among many ranks: lengths go before the messages.
	t.Run("lengths first", func(t *testing.T) {
		defer comm.SetFewRanks(0)()
		t.Run("whole", func(t *testing.T) { commtest.Run(t, inWorld, world.Size()) })
		t.Run("cut", func(t *testing.T) {
			defer comm.SetMPICut(2)()
			commtest.RunShort(t, inWorld, world.Size())
		})
	})
}

// What a library says of itself is asked for while ranks run: here one that says yes.
func TestMPICUDAAwareIsAsked(t *testing.T) {
	if world != nil {
		if !comm.CUDAAware() {
			t.Error("the library says that it takes device memory, and CUDAAware() is false")
		}
		return
	}
	says := filepath.Join(t.TempDir(), "aware.so")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", says, "testdata/aware.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	job := mpirun(t.Context(), t, 2, "-test.run=^TestMPICUDAAwareIsAsked$")
	job.Args = slices.Concat(job.Args[:len(job.Args)-2], []string{"env", "LD_PRELOAD=" + says}, job.Args[len(job.Args)-2:])
	if out, err := job.CombinedOutput(); err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Without ranks of MPI nobody sends device memory.
func TestCUDAAwareNeedsMPI(t *testing.T) {
	if world == nil && comm.CUDAAware() {
		t.Error("CUDAAware() before MPI runs")
	}
}

func TestMPIVersion(t *testing.T) {
	if v := comm.MPIVersion(); !comm.HasMPI() || !strings.Contains(v, "MPI") {
		t.Errorf("HasMPI() is %v, MPIVersion() is %q", comm.HasMPI(), v)
	}
}

// A launcher of another MPI starts copies that this MPI does not join. They refuse to run side by side.
func TestMPIRefusesLoneCopies(t *testing.T) {
	if world != nil {
		t.Skip("runs under mpirun already")
	}
	copy := exec.CommandContext(t.Context(), os.Args[0])
	copy.Env = append(os.Environ(), "PMI_SIZE=3", "PMI_RANK=0")
	out, err := copy.CombinedOutput()
	if err == nil ||
		!strings.Contains(string(out), "comm: mpiexec started 3 copies of this program, but MPI connects only 1") {
		t.Errorf("a copy that MPI does not join ends with %v:\n%s", err, out)
	}
}

// mpirun is the command that starts n ranks of this test program.
func mpirun(ctx context.Context, t *testing.T, n int, args ...string) *exec.Cmd {
	t.Helper()
	if world != nil {
		t.Skip("runs under mpirun already")
	}
	return commtest.Mpirun(ctx, t, n, append([]string{os.Args[0]}, args...)...)
}
