// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/par"
)

func TestMain(m *testing.M) {
	comm.ManyThreads = comm.Launched().Name != ""
	if plant := faults[os.Getenv(faultVariable)]; plant != nil {
		enginetest.Main(m, plant)
		return
	}
	enginetest.Main(m)
}

// TestMPI starts itself under mpirun on each number of ranks, and runs the suite there. With other limits than the
// usual ones it runs the suite on three ranks only, or on the ranks of MPI_TEST_RANKS.
func TestMPI(t *testing.T) {
	if enginetest.World == nil {
		// powers of two, other numbers, and more ranks than most machines for tests have cores
		for _, n := range commtest.RanksOfMPI(t, 1, 2, 3, 4, 7) {
			t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) {
				self := "-test.run=^TestMPI$"
				if n != 3 && os.Getenv("MPI_TEST_RANKS") == "" {
					self += "/^(whole|once|CUDAAware)$"
				}
				out, err := mpirun(t.Context(), t, n, self).CombinedOutput()
				expect.Must(t, err == nil, "%v\n%s", err, out)
			})
		}
		return
	}
	t.Run("whole", func(t *testing.T) { commtest.Run(t, enginetest.InWorld, enginetest.World.Size()) })
	t.Run("once", func(t *testing.T) {
		expect.Error(t, comm.MPI(func(comm.Transport) error { return nil }), "only once in a process")
	})
	// CUDAAware agrees with Open MPI's own program.
	t.Run("CUDAAware", func(t *testing.T) {
		expect.SkipIf(t, !strings.HasPrefix(comm.MPIVersion(), "Open MPI"), "no program describes this library")
		out, err := exec.CommandContext(t.Context(), "ompi_info", "--parsable", "--all").Output()
		if err != nil {
			t.Skip("ompi_info is missing: install Open MPI (apt-get install openmpi-bin)")
		}
		expect.Equal(t, comm.CUDAAware(), strings.Contains(string(out), "mpi_built_with_cuda_support:value:true"))
	})
	// With a low limit of one MPI call, long messages have many parts, the last of which is short.
	t.Run("cut", func(t *testing.T) {
		expect.Set(t, comm.MPICut, 1021)
		commtest.Run(t, enginetest.InWorld, enginetest.World.Size())
	})
	for _, cut := range []int{1, 2, 3} { // the lowest limits: one word, and fewer words than ranks
		t.Run(fmt.Sprintf("cut=%d", cut), func(t *testing.T) {
			expect.Set(t, comm.MPICut, cut)
			commtest.RunShort(t, enginetest.InWorld, enginetest.World.Size())
		})
	}
	for _, threads := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("threads=%d", threads), func(t *testing.T) {
			expect.Set(t, comm.PieceThreads(enginetest.World), threads)
			commtest.RunPieces(t, enginetest.InWorld, enginetest.World.Size())
		})
	}
	// As on many ranks, lengths are sent before the messages.
	t.Run("lengths first", func(t *testing.T) {
		expect.Set(t, comm.FewRanks, 0)
		t.Run("whole", func(t *testing.T) { commtest.Run(t, enginetest.InWorld, enginetest.World.Size()) })
		t.Run("cut", func(t *testing.T) {
			expect.Set(t, comm.MPICut, 2)
			commtest.RunShort(t, enginetest.InWorld, enginetest.World.Size())
		})
	})
}

// Without MPI there are no messages from device memory.
func TestCUDAAwareNeedsMPI(t *testing.T) {
	expect.That(t, enginetest.World != nil || !comm.CUDAAware(), "CUDAAware() before MPI runs")
}

// Copies that the launcher of another MPI library has started are not connected, and refuse to run.
func TestMPIRefusesLoneCopies(t *testing.T) {
	expect.SkipIf(t, enginetest.World != nil, "already under mpirun")
	copy := exec.CommandContext(t.Context(), os.Args[0])
	copy.Env = append(os.Environ(), "PMI_SIZE=3", "PMI_RANK=0")
	out, err := copy.CombinedOutput()
	want := "comm: a PMI launcher started 3 copies of this program, but " + comm.MPIVersion() + " connects only 1: use "
	expect.That(t, err != nil && strings.Contains(string(out), want), "an unconnected copy ends with %v:\n%s", err, out)
}

// mpirun returns the command that starts n ranks of this test program.
func mpirun(ctx context.Context, t *testing.T, n int, args ...string) *exec.Cmd {
	t.Helper()
	expect.SkipIf(t, enginetest.World != nil, "already under mpirun")
	return commtest.Mpirun(ctx, t, n, append([]string{os.Args[0]}, args...)...)
}

// These variables make the test program a job with a planted fault.
const (
	faultVariable  = "COMM_TEST_FAULT"
	folderVariable = "COMM_TEST_FOLDER" // in which each rank creates a file named by its process number
)

// faults has faults of a job. If one rank fails, the others wait for it in a collective.
var faults = map[string]func(comm.Transport) error{
	"error":        onRank1(func(comm.Transport) error { return errPlanted }),
	"control":      onRank1(func(comm.Transport) error { return errors.New("file \x1b[2J is no graph") }),
	"panic":        onRank1(func(comm.Transport) error { panic(errPlanted) }),
	"worker":       onRank1(panicInWorker),
	"kill":         onRank1(func(comm.Transport) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) }),
	"orphans":      onRank1(func(comm.Transport) error { return syscall.Kill(os.Getppid(), syscall.SIGKILL) }),
	"exit 3":       onRank1(func(comm.Transport) error { os.Exit(3); return nil }),
	"exit 0":       onRank1(func(comm.Transport) error { os.Exit(0); return nil }),
	"mpi":          onRank1(comm.SendBeyond),
	"mpi, probe":   onRank1(comm.ProbeBeyond),
	"piece, short": piecesToRank1(1),
	"piece, long":  piecesToRank1(3),
	"agreed": func(t comm.Transport) error {
		if err := signIn(t); err != nil || t.Rank() == 0 {
			return comm.Agree(t, err)
		}
		return comm.Agree(t, errPlanted)
	},
}

// panicInWorker panics in a goroutine of a parallel loop, not in the rank's.
func panicInWorker(comm.Transport) error {
	par.For(2, 1<<20, 1, func(worker, _, _ int) {
		if worker == 1 {
			panic(errPlanted)
		}
		time.Sleep(time.Millisecond)
	})
	return nil
}

func onRank1(fail func(comm.Transport) error) func(comm.Transport) error {
	return func(t comm.Transport) error {
		if err := signIn(t); err != nil {
			return err
		}
		if t.Rank() == 1 {
			return fail(t)
		}
		return expect.Err(t.AllToAll(make([][]byte, t.Size())))
	}
}

// piecesToRank1 makes rank 0 send a piece of that many bytes to rank 1, which expects two.
func piecesToRank1(bytes int) func(comm.Transport) error {
	return func(t comm.Transport) error {
		if err := signIn(t); err != nil {
			return err
		}
		send := make([][]byte, t.Size())
		if t.Rank() == 0 {
			send[1] = make([]byte, bytes)
		}
		pieces := commtest.NewMessages(8, send, func(from int) int {
			if t.Rank() == 1 && from == 0 {
				return 2
			}
			return 0
		})
		if err := t.AllToAllPieces(pieces); err != nil {
			return err
		}
		return expect.Err(t.AllToAll(make([][]byte, t.Size())))
	}
}

// signIn stores this process's number, and waits until all ranks have: a fault ends ranks that have not.
func signIn(t comm.Transport) error {
	err := os.WriteFile(filepath.Join(os.Getenv(folderVariable), strconv.Itoa(os.Getpid())), nil, 0o600)
	return cmp.Or(err, t.Barrier())
}

// zeroMayHide is true if the launcher may return 0 after a rank has ended with status 0 before MPI_Finalize.
// mpi_gompi_test.go sets it to false for Open MPI.
var zeroMayHide = true

// A rank that fails, panics, exits or is killed ends the job on all ranks, with a failing exit status, its reason
// printed once, and no process left. The texts of libraries differ.
func TestMPIEndsFailedJob(t *testing.T) {
	for _, c := range []struct{ fault, reason string }{
		{"error", `g500: rank 1 \(node \S+\): planted fault\n`},
		{"control", `g500: rank 1 \(node \S+\): file \?\[2J is no graph`},
		{"panic", `g500: rank 1 \(node \S+\): panic: planted fault\n`},
		{"worker", `g500: rank 1 \(node \S+\): panic: planted fault\n`},
		{"agreed", `g500: rank 1 \(node \S+\): planted fault\n`},
		{"mpi", `g500: rank 1 \(node \S+\): comm: AllToAll: .*[Ii]nvalid rank`},
		{"mpi, probe", `g500: rank 1 \(node \S+\): comm: AllToAll: .*[Ii]nvalid rank`},
		{"gompi", `g500: rank 1 \(node \S+\): comm: .*[Ii]nvalid rank`},
		{"piece, short", `g500: rank 1 \(node \S+\): comm: rank 0 sent 1 bytes to rank 1, whose buffer has 2`},
		{"piece, long", `g500: rank 1 \(node \S+\): comm: AllToAllPieces: .*[Mm]essage truncated`},
		{"kill", ""},    // mpirun prints the reason
		{"orphans", ""}, // the launcher is killed
		{"exit 3", ""},
		{"exit 0", ""},
	} {
		t.Run(c.fault, func(t *testing.T) {
			expect.SkipIf(t, faults[c.fault] == nil, "this program was built with another MPI library")
			folder := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // MPI_Init may take over ten seconds
			defer cancel()
			var out bytes.Buffer
			job := mpirun(ctx, t, 4)
			job.Env = append(job.Env, faultVariable+"="+c.fault, folderVariable+"="+folder)
			job.Stdout, job.Stderr, job.WaitDelay = &out, &out, time.Second
			err := job.Run()
			hidden := err == nil && zeroMayHide && c.fault == "exit 0"
			expect.That(t, (err != nil || hidden) && ctx.Err() == nil, "mpirun returns %v, context %v", err, ctx.Err())
			reasons := strings.Count(out.String(), "g500:")
			expect.That(t, regexp.MustCompile(c.reason).Match(out.Bytes()) && reasons == min(1, len(c.reason)),
				"want only the reason %q, got:\n%s", c.reason, &out)
			wantGone(t, folder, 4)
		})
	}
}

// wantGone waits until the n processes that signed in have ended.
func wantGone(t *testing.T, folder string, n int) {
	t.Helper()
	files, err := os.ReadDir(folder)
	expect.Must(t, err == nil && len(files) == n, "%d ranks signed in, want %d (%v)", len(files), n, err)
	for _, f := range files {
		for wait := 0; runs(f.Name()); wait++ {
			expect.Must(t, wait != 50, "process %s still runs", f.Name())
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// runs reports whether a process runs; zombies do not.
func runs(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
