// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo && !mpich

package comm

// Open MPI, partly through gompi. The paths are for Debian and Ubuntu, as in gompi. For other systems
// scripts/with-mpi.sh puts the flags of the compiler wrapper into CGO_CFLAGS and CGO_LDFLAGS, which precede these.

// #cgo linux CFLAGS: -I/usr/lib/x86_64-linux-gnu/openmpi/include
// #cgo linux LDFLAGS: -L/usr/lib/x86_64-linux-gnu/openmpi/lib -lmpi
// #include "mpi_gompi.h"
import "C"

import (
	"os"
	"time"

	gompi "github.com/sbromberger/gompi"
)

// yieldWhenIdle makes Open MPI yield its core while it polls, unless the user has set the variable. It costs 0.2 us if
// there are free cores.
func yieldWhenIdle() {
	const variable = "OMPI_MCA_mpi_yield_when_idle"
	if os.Getenv(variable) == "" {
		os.Setenv(variable, "1")
	}
}

const family = openMPI

// mpiWorld is MPI_COMM_WORLD.
type mpiWorld struct {
	gompi.Communicator
	scratch []int64 // a copy of allReduce's values, which gompi needs
}

// newMPIWorld makes errors of calls on MPI_COMM_WORLD end the job with a message.
func newMPIWorld() (*mpiWorld, error) {
	err := mpiError("MPI_Comm_set_errhandler", C.g500_fail_on_error())
	return &mpiWorld{Communicator: gompi.NewCommunicator(nil)}, err
}

func mpiStarted() bool { return gompi.IsOn() }

// stopMPI ends MPI. If mpirun, on a busy node, does not answer in 2 s, Open MPI ends without the answer; mpirun fails
// if the process then exits before it has read the message. Ranks that wait so long for others also wait 4 s more.
func stopMPI() {
	late := time.After(2 * time.Second)
	gompi.Stop()
	select {
	case <-late:
		time.Sleep(4 * time.Second)
	default:
	}
}

func (w *mpiWorld) barrier() error {
	w.Barrier()
	return nil
}

var gompiOps = [...]gompi.Op{Sum: gompi.OpSum, Min: gompi.OpMin, Max: gompi.OpMax}

// allReduce combines vals over all ranks, in place.
func (w *mpiWorld) allReduce(vals []int64, op Op) error {
	w.scratch = append(w.scratch[:0], vals...)
	return w.AllreduceInt64s(vals, w.scratch, gompiOps[op], 0)
}

// libraryCUDAAware reports whether the library is CUDA-aware.
func libraryCUDAAware() bool { return C.g500_cuda_aware() != 0 }
