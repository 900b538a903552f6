// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo && !mpich

package comm

// Open MPI, partly through gompi. The paths are for Debian and Ubuntu, as in gompi. For other systems
// scripts/with-mpi.sh puts the flags of the compiler wrapper into CGO_CFLAGS and CGO_LDFLAGS, which precede these.

/*
#cgo linux CFLAGS: -I/usr/lib/x86_64-linux-gnu/openmpi/include
#cgo linux LDFLAGS: -L/usr/lib/x86_64-linux-gnu/openmpi/lib -lmpi
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <unistd.h>

// All symbols are static, because gompi's preamble has global ones.

// g500_fatal prints MPI's error and ends the job, because gompi drops the results of MPI calls.
static void g500_fatal(MPI_Comm *comm, int *code, ...) {
	char text[MPI_MAX_ERROR_STRING], node[256] = "";
	int n, rank;
	gethostname(node, sizeof node - 1);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Error_string(*code, text, &n);
	fprintf(stderr, "g500: rank %d (node %s): comm: %s\n", rank, node, text);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static int g500_fail_on_error(void) {
	MPI_Errhandler fatal;
	int rc = MPI_Comm_create_errhandler(g500_fatal, &fatal);
	return rc ? rc : MPI_Comm_set_errhandler(MPI_COMM_WORLD, fatal);
}

static int g500_cuda_aware(void) {
#ifdef MPIX_CUDA_AWARE_SUPPORT
	return MPIX_Query_cuda_support();
#else
	return 0;
#endif
}
*/
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
