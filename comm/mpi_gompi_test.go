// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo && !mpich

package comm_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gompi "github.com/sbromberger/gompi"

	"g500/comm"
	"g500/internal/enginetest"
)

// gompi drops the result of a failing call. Open MPI's launcher never returns 0 if a rank ends before MPI_Finalize.
func init() {
	zeroMayHide = false
	faults["gompi"] = onRank1(func(t comm.Transport) error {
		gompi.NewCommunicator(nil).SendInt64(1, t.Size(), 0)
		return nil
	})
}

// TestMPILateLauncher: a run succeeds although mpirun reads the ranks' last messages too late for Open MPI's limit.
func TestMPILateLauncher(t *testing.T) {
	if enginetest.World != nil {
		return
	}
	library := filepath.Join(t.TempDir(), "late.so")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, "testdata/late.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	job := mpirun(t.Context(), t, 2, "-test.run=^TestMPILateLauncher$")
	job.Args = slices.Insert(job.Args, len(job.Args)-2, "env", "LD_PRELOAD="+library)
	out, err := job.CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		t.Errorf("%v\n%s", err, out)
	} else if !strings.Contains(string(out), "launcher stops") {
		t.Skip("this Open MPI ends without the function that is replaced")
	}
}
