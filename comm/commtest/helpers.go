// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"g500/comm"
	"g500/internal/expect"
)

// Mpirun returns the command that starts n ranks of a program on this machine, also as root. The environment variable
// MPIRUN, which scripts/with-mpi.sh sets, has the launcher; the default is Open MPI's. If there is no launcher, the
// test is skipped.
func Mpirun(ctx context.Context, t *testing.T, n int, program ...string) *exec.Cmd {
	t.Helper()
	launch := strings.Fields(cmp.Or(os.Getenv("MPIRUN"), "mpirun --oversubscribe --bind-to none"))
	path, err := exec.LookPath(launch[0])
	if err != nil {
		t.Skipf("%s is missing: install the MPI library's programs (apt-get install openmpi-bin, or mpich)", launch[0])
	}
	job := exec.CommandContext(ctx, path, append(append(launch[1:], "-n", strconv.Itoa(n)), program...)...)
	job.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	return job
}

// RanksOfMPI returns the numbers of ranks on which a test starts itself: those in MPI_TEST_RANKS, such as "1 3", or its
// usual ones.
func RanksOfMPI(t *testing.T, usual ...int) (ranks []int) {
	t.Helper()
	for _, word := range strings.Fields(os.Getenv("MPI_TEST_RANKS")) {
		n, err := strconv.Atoi(word)
		expect.Must(t, err == nil && n >= 1, "MPI_TEST_RANKS has %q: give numbers of ranks, such as \"1 3\"", word)
		ranks = append(ranks, n)
	}
	if len(ranks) == 0 {
		return usual
	}
	return ranks
}

// OnRank is the test on a rank, whose goroutine must not call FailNow: a check that would end the test panics.
type OnRank struct{ testing.TB }

// Fatalf panics with an error that has the text.
func (OnRank) Fatalf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

// ErrPlanted is the value of the panic that EndsByPanic expects.
var ErrPlanted = errors.New("planted panic")

// EndsByPanic checks that a job ends with the name of its rank 1 and the stack of the panic if a goroutine for which
// that rank waits in f panics with ErrPlanted in a function whose name has the word.
func EndsByPanic(t *testing.T, word string, f func()) {
	t.Helper()
	err := comm.Loopback(2, func(tr comm.Transport) error {
		if tr.Rank() == 1 {
			f()
		}
		return tr.Barrier()
	})
	var from *comm.RankError
	expect.Must(t, errors.As(err, &from) && from.Rank == 1 && errors.Is(err, ErrPlanted),
		"the job ends with %v, want the panic of rank 1", err)
	_, stack, _ := strings.Cut(err.Error(), "panic(")
	expect.That(t, strings.Contains(stack, word), "no %s after the panic in the stack\n%v", word, err)
}
