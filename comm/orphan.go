//go:build mpi && cgo

package comm

import (
	"os"
	"time"
)

// orphanCheck is how often a rank looks whether its launcher still runs.
const orphanCheck = time.Second

// endOrphan ends this process when its parent does, which is the launcher's process on this node: the ranks that are
// left can only wait for one another, and nobody reads what they say. MPICH's launcher has been seen to end before it
// ended all ranks of a failed job, once in 39 such jobs on two busy cores.
func endOrphan(parent int) {
	for os.Getppid() == parent {
		time.Sleep(orphanCheck)
	}
	os.Exit(1)
}
