//go:build mpi && cgo

package comm_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/comm"
)

// These variables turn the test program into a job with a planted fault.
const (
	faultVariable  = "COMM_TEST_FAULT"
	folderVariable = "COMM_TEST_FOLDER" // where each rank leaves a file named like its process
)

// faults are what a job may do. Where a rank fails alone, the others wait for it in a collective.
var faults = map[string]func(comm.Transport) error{
	"error":       onRank1(func(comm.Transport) error { return errPlanted }),
	"panic":       onRank1(func(comm.Transport) error { panic(errPlanted) }),
	"kill":        onRank1(func(comm.Transport) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) }),
	"orphans":     onRank1(func(comm.Transport) error { return syscall.Kill(os.Getppid(), syscall.SIGKILL) }),
	"exit 3":      onRank1(func(comm.Transport) error { os.Exit(3); return nil }),
	"exit 0":      onRank1(func(comm.Transport) error { os.Exit(0); return nil }),
	"mpi":         onRank1(comm.SendBeyond),
	"mpi, probe":  onRank1(comm.ProbeBeyond),
	"pair, short": toRank1(1),
	"pair, long":  toRank1(3),
	"agreed": func(t comm.Transport) error {
		if err := signIn(); err != nil || t.Rank() == 0 {
			return comm.Agree(t, err)
		}
		return comm.Agree(t, errPlanted)
	},
}

func onRank1(fail func(comm.Transport) error) func(comm.Transport) error {
	return func(t comm.Transport) error {
		if err := signIn(); err != nil {
			return err
		}
		if err := t.Barrier(); err != nil {
			return err
		}
		if t.Rank() == 1 {
			return fail(t)
		}
		_, err := t.AllToAll(make([][]byte, t.Size()))
		return err
	}
}

// toRank1 has rank 0 send so many bytes to rank 1, which waits for two.
func toRank1(bytes int) func(comm.Transport) error {
	return func(t comm.Transport) error {
		if err := signIn(); err != nil {
			return err
		}
		if err := t.Barrier(); err != nil {
			return err
		}
		switch t.Rank() {
		case 0:
			if err := t.SendRecv(1, [][]byte{make([]byte, bytes)}, nil); err != nil {
				return err
			}
		case 1:
			return t.SendRecv(0, nil, [][]byte{make([]byte, 2)})
		}
		_, err := t.AllToAll(make([][]byte, t.Size()))
		return err
	}
}

// signIn leaves this process's number behind.
func signIn() error {
	return os.WriteFile(filepath.Join(os.Getenv(folderVariable), strconv.Itoa(os.Getpid())), nil, 0o600)
}

// zeroMayHide says that the library's launcher ends the job of a rank that ends with status 0 before MPI_Finalize, but
// may return 0 itself. mpi_gompi_test.go has it false for Open MPI.
var zeroMayHide = true

// unended is how long a job that does not end is waited for. MPI_Init is in it, which takes ten seconds and more where
// the node's name resolves slowly; a job that hangs does so for ever.
const unended = 3 * time.Minute

// A rank that fails, panics, exits or is killed ends the job on all ranks, with an exit status that says so, its reason
// told once, and no process left. Libraries word their reasons in their own ways.
func TestMPIEndsFailedJob(t *testing.T) {
	for _, c := range []struct{ fault, reason string }{
		{"error", "g500: rank 1: planted fault\n"},
		{"panic", "g500: rank 1: panic: planted fault\n"},
		{"agreed", "g500: rank 1: planted fault\n"},
		{"mpi", "g500: rank 1: comm: AllToAll: .*[Ii]nvalid rank"},
		{"mpi, probe", "g500: rank 1: comm: AllToAll: .*[Ii]nvalid rank"},
		{"gompi", "g500: rank 1: comm: .*[Ii]nvalid rank"},
		{"pair, short", "g500: rank 1: comm: rank 0 sent 1 bytes to rank 1, whose buffer has 2"},
		{"pair, long", "g500: rank 1: comm: SendRecv: .*[Mm]essage truncated"},
		{"kill", ""},    // the rank itself can say nothing; mpirun does
		{"orphans", ""}, // whose launcher is killed
		{"exit 3", ""},
		{"exit 0", ""},
	} {
		t.Run(c.fault, func(t *testing.T) {
			if faults[c.fault] == nil {
				t.Skip("this program was built with another MPI library")
			}
			folder := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), unended)
			defer cancel()
			var out bytes.Buffer
			job := mpirun(ctx, t, 4)
			job.Env = append(job.Env, faultVariable+"="+c.fault, folderVariable+"="+folder)
			job.Stdout, job.Stderr, job.WaitDelay = &out, &out, time.Second
			err := job.Run()
			hidden := err == nil && zeroMayHide && c.fault == "exit 0"
			if err == nil && !hidden || ctx.Err() != nil {
				t.Errorf("mpirun returns %v, context %v", err, ctx.Err())
			}
			told := strings.Count(out.String(), "g500:")
			if c.reason == "" && told != 0 || c.reason != "" && (told != 1 || !said(out.String(), c.reason)) {
				t.Errorf("want the reason %q and no other, got:\n%s", c.reason, out.String())
			}
			wantGone(t, folder, 4)
		})
	}
}

// said reports whether a text has what the pattern tells, in one line of it.
func said(text, pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// wantGone waits until the processes that signed in, n of them, are gone.
func wantGone(t *testing.T, folder string, n int) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != n {
		t.Fatalf("%d ranks signed in, want %d (%v)", len(files), n, err)
	}
	for _, f := range files {
		for wait := 0; runs(f.Name()); wait++ {
			if wait == 50 {
				t.Fatalf("process %s still runs", f.Name())
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// runs reports whether a process runs: one that has ended, and waits for its parent to notice, does not.
func runs(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
