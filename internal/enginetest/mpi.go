// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package enginetest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/expect"
)

// Main runs the tests of a package, as a rank of the job if mpirun has started the program. With a fault, ranks run
// that in place of the tests.
func Main(m *testing.M, fault ...func(comm.Transport) error) {
	if comm.Launched().Name == "" {
		os.Exit(m.Run())
	}
	err := comm.MPI(func(t comm.Transport) error {
		if len(fault) > 0 {
			return fault[0](t)
		}
		World = t
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

// UnderMpirun runs a test in World. Without one, the test runs itself by mpirun on each of the numbers of ranks.
func UnderMpirun(t *testing.T, test func(t *testing.T), numbers ...int) {
	if World != nil {
		test(t)
		return
	}
	for _, ranks := range numbers {
		t.Run(fmt.Sprintf("ranks=%d", ranks), func(t *testing.T) {
			Mpirun(t, ranks, os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$")
		})
	}
}

// Mpirun starts a program on n ranks and fails the test if it fails.
func Mpirun(t *testing.T, n int, program ...string) {
	t.Helper()
	out, err := commtest.Mpirun(t.Context(), t, n, program...).CombinedOutput()
	expect.Must(t, err == nil && !strings.Contains(string(out), "no tests to run"), "%v\n%s", err, out)
}
