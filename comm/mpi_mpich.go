// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo && mpich

package comm

// MPICH and the libraries derived from it, such as Cray's, Intel's and MVAPICH. They share names and types but not the
// library's file, so that all flags come from the compiler wrapper, by scripts/with-mpi.sh.

// #include "mpi_mpich.h"
import "C"

import "os"

// yieldWhenIdle has no effect: the functions of waits.h yield.
func yieldWhenIdle() {}

const family = mpich

// mpiWorld is MPI_COMM_WORLD.
type mpiWorld struct{}

// newMPIWorld makes calls on MPI_COMM_WORLD return errors.
func newMPIWorld() (*mpiWorld, error) {
	return &mpiWorld{}, mpiError("MPI_Comm_set_errhandler", C.g500_return_errors())
}

func mpiStarted() bool { return C.g500_initialized() != 0 }

func stopMPI() { C.MPI_Finalize() }

// Rank returns this process's number.
func (*mpiWorld) Rank() int { return int(C.g500_world_rank()) }

// Size returns the number of processes.
func (*mpiWorld) Size() int { return int(C.g500_world_size()) }

func (*mpiWorld) barrier() error { return mpiError("MPI_Ibarrier", C.g500_world_barrier()) }

// Abort ends the job.
func (*mpiWorld) Abort(status int) { C.g500_world_abort(C.int(status)) }

// allReduce combines vals over all ranks, in place.
func (*mpiWorld) allReduce(vals []int64, op Op) error {
	return mpiError("MPI_Iallreduce", C.g500_world_allreduce(int64s(vals), C.int(len(vals)), C.int(op)))
}

// libraryCUDAAware reports whether the library is CUDA-aware, by its own function or by the environment.
func libraryCUDAAware() bool {
	if aware := C.g500_cuda_aware(); aware >= 0 {
		return aware > 0
	}
	return setCUDAAware(os.Getenv)
}
