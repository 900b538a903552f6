// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo && !mpich

package comm_test

import (
	"strings"
	"testing"

	gompi "github.com/sbromberger/gompi"

	"g500/comm"
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
	if world != nil {
		return
	}
	if out := runWith(t, "testdata/late.c", "-test.run=^TestMPILateLauncher$"); !strings.Contains(out, "launcher stops") {
		t.Skip("this Open MPI ends without the function that is replaced")
	}
}
