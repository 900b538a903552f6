// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/expect"
)

// world is the transport of a test program that mpirun has started, nil without mpirun.
var world comm.Transport

// inWorld is the launcher of a running rank. A rank that finds a fault ends the job at once, because the others wait
// for it.
func inWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(world); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d of %d: %v\n", world.Rank(), world.Size(), err)
		os.Exit(1)
	}
	return nil
}

func TestMain(m *testing.M) {
	if comm.Launched().Name == "" {
		os.Exit(m.Run())
	}
	comm.ManyThreads = true
	err := comm.MPI(func(t comm.Transport) error {
		if plant := faults[os.Getenv(faultVariable)]; plant != nil {
			return plant(t)
		}
		world = t
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

// TestMPI starts itself under mpirun on each number of ranks, and runs the suite there. With other limits than the
// usual ones it runs the suite on three ranks only, or on the ranks of MPI_TEST_RANKS.
func TestMPI(t *testing.T) {
	if world == nil {
		// powers of two, other numbers, and more ranks than most machines for tests have cores
		for _, n := range commtest.RanksOfMPI(t, 1, 2, 3, 4, 7) {
			t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) {
				self := "-test.run=^TestMPI$"
				if n != 3 && os.Getenv("MPI_TEST_RANKS") == "" {
					self += "/^(whole|once|CUDAAware)$"
				}
				out, err := mpirun(t.Context(), t, n, self).CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
		return
	}
	t.Run("whole", func(t *testing.T) { commtest.Run(t, inWorld, world.Size()) })
	t.Run("once", func(t *testing.T) {
		expect.Error(t, comm.MPI(func(comm.Transport) error { return nil }), "only once in a process")
	})
	// CUDAAware agrees with Open MPI's own program.
	t.Run("CUDAAware", func(t *testing.T) {
		if !strings.HasPrefix(comm.MPIVersion(), "Open MPI") {
			t.Skip("no program describes this library")
		}
		out, err := exec.CommandContext(t.Context(), "ompi_info", "--parsable", "--all").Output()
		if err != nil {
			t.Skip("ompi_info is missing: install Open MPI (apt-get install openmpi-bin)")
		}
		want := strings.Contains(string(out), "mpi_built_with_cuda_support:value:true")
		expect.Equal(t, comm.CUDAAware(), want)
	})
	// With a low limit of one MPI call, long messages have many parts, the last of which is short.
	t.Run("cut", func(t *testing.T) {
		defer comm.SetMPICut(1021)()
		commtest.Run(t, inWorld, world.Size())
	})
	for _, cut := range []int{1, 2, 3} { // the lowest limits: one word, and fewer words than ranks
		t.Run(fmt.Sprintf("cut=%d", cut), func(t *testing.T) {
			defer comm.SetMPICut(cut)()
			commtest.RunShort(t, inWorld, world.Size())
		})
	}
	for _, threads := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("threads=%d", threads), func(t *testing.T) {
			defer comm.SetPieceThreads(world, threads)()
			commtest.RunPieces(t, inWorld, world.Size())
		})
	}
	// As on many ranks, lengths are sent before the messages.
	t.Run("lengths first", func(t *testing.T) {
		defer comm.SetFewRanks(0)()
		t.Run("whole", func(t *testing.T) { commtest.Run(t, inWorld, world.Size()) })
		t.Run("cut", func(t *testing.T) {
			defer comm.SetMPICut(2)()
			commtest.RunShort(t, inWorld, world.Size())
		})
	})
}

// CUDAAware calls the library's function while ranks run. The function of this test reports a CUDA-aware library.
func TestMPICUDAAwareLibrary(t *testing.T) {
	if world != nil {
		if !comm.CUDAAware() {
			t.Error("the library is CUDA-aware, and CUDAAware() is false")
		}
		return
	}
	runWith(t, "testdata/aware.c", "-test.run=^TestMPICUDAAwareLibrary$")
}

// runWith starts itself on two ranks, on which the functions of a C file replace the MPI libraries' own, and returns
// the output.
func runWith(t *testing.T, source, self string) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), "preloaded.so")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	job := mpirun(t.Context(), t, 2, self)
	job.Args = slices.Insert(job.Args, len(job.Args)-2, "env", "LD_PRELOAD="+library)
	out, err := job.CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

// Without MPI there are no messages from device memory.
func TestCUDAAwareNeedsMPI(t *testing.T) {
	if world == nil && comm.CUDAAware() {
		t.Error("CUDAAware() before MPI runs")
	}
}

func TestMPIVersion(t *testing.T) {
	expect.Contains(t, comm.MPIVersion(), "MPI")
}

// Copies that the launcher of another MPI library has started are not connected, and refuse to run.
func TestMPIRefusesLoneCopies(t *testing.T) {
	if world != nil {
		t.Skip("already under mpirun")
	}
	copy := exec.CommandContext(t.Context(), os.Args[0])
	copy.Env = append(os.Environ(), "PMI_SIZE=3", "PMI_RANK=0")
	out, err := copy.CombinedOutput()
	want := "comm: a PMI launcher started 3 copies of this program, but " + comm.MPIVersion() + " connects only 1: use "
	if err == nil || !strings.Contains(string(out), want) {
		t.Errorf("an unconnected copy ends with %v:\n%s", err, out)
	}
}

// mpirun returns the command that starts n ranks of this test program.
func mpirun(ctx context.Context, t *testing.T, n int, args ...string) *exec.Cmd {
	t.Helper()
	if world != nil {
		t.Skip("already under mpirun")
	}
	return commtest.Mpirun(ctx, t, n, append([]string{os.Args[0]}, args...)...)
}
