// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo && !mpich

package comm_test

import (
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
