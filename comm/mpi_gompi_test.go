//go:build mpi && cgo && !mpich

package comm_test

import (
	gompi "github.com/sbromberger/gompi"

	"g500/comm"
)

// A call of gompi's fails, whose code it drops. Open MPI's launcher never returns 0 for a rank that ended too early.
func init() {
	zeroMayHide = false
	faults["gompi"] = onRank1(func(t comm.Transport) error {
		gompi.NewCommunicator(nil).SendInt64(1, t.Size(), 0)
		return nil
	})
}
