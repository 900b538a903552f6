//go:build mpi && cgo && mpich

package comm

// MPICH and the libraries that come from it, such as those of Cray and Intel, and MVAPICH. They share names and types
// but not the library's file, so that all flags are the compiler wrapper's, from scripts/with-mpi.sh.

/*
#include <mpi.h>
#include <stdint.h>
#include "waits.h"

// Errors of requests too are those of MPI_COMM_WORLD, whatever their communicator.
static int g500_return_errors(void) { return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); }

static int g500_initialized(void) {
	int started = 0;
	MPI_Initialized(&started);
	return started;
}

static int g500_world_rank(void) {
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

static int g500_world_size(void) {
	int size;
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	return size;
}

static int g500_world_barrier(void) {
	MPI_Request request;
	return g500_started(MPI_Ibarrier(MPI_COMM_WORLD, &request), &request);
}

static void g500_world_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

// g500_world_allreduce takes the operation as Op numbers it.
static int g500_world_allreduce(int64_t *vals, int n, int op) {
	const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX};
	MPI_Request request;
	int rc = MPI_Iallreduce(MPI_IN_PLACE, vals, n, MPI_INT64_T, ops[op], MPI_COMM_WORLD, &request);
	return g500_started(rc, &request);
}

// What a library may say of itself: MPICH 4.0 has both, MVAPICH2 the second where it is made for GPUs. The address of a
// function that the library lacks is null.
int MPIX_GPU_query_support(int type, int *is_supported) __attribute__((weak));
int MPIX_Query_cuda_support(void) __attribute__((weak));

// g500_cuda_aware returns -1 where the library does not say.
static int g500_cuda_aware(void) {
	enum { cuda = 0 }; // MPIX_GPU_SUPPORT_CUDA
	int yes = 0;
	if (MPIX_GPU_query_support) return MPIX_GPU_query_support(cuda, &yes) == MPI_SUCCESS && yes;
	return MPIX_Query_cuda_support ? MPIX_Query_cuda_support() : -1;
}
*/
import "C"

import (
	"os"
	"slices"
)

// yieldWhenIdle has nothing to tell the library: waits.h yields.
func yieldWhenIdle() {}

// srunOfMPI is how srun starts ranks that this library joins.
const srunOfMPI = "srun --mpi=pmi2"

// needsPMI is false because libraries of MPICH's kind can use Slurm's own PMI-1, which sets no variable.
const needsPMI = false

// mpiWorld is MPI_COMM_WORLD.
type mpiWorld struct{}

// newMPIWorld makes calls on MPI_COMM_WORLD return their errors.
func newMPIWorld() (*mpiWorld, error) {
	return &mpiWorld{}, mpiError("MPI_Comm_set_errhandler", C.g500_return_errors())
}

func mpiStarted() bool { return C.g500_initialized() != 0 }

func stopMPI() { C.MPI_Finalize() }

// Rank is this process's number.
func (*mpiWorld) Rank() int { return int(C.g500_world_rank()) }

// Size is the number of processes.
func (*mpiWorld) Size() int { return int(C.g500_world_size()) }

func (*mpiWorld) barrier() error { return mpiError("MPI_Ibarrier", C.g500_world_barrier()) }

// Abort ends the job.
func (*mpiWorld) Abort(status int) { C.g500_world_abort(C.int(status)) }

// allReduce combines vals over all ranks, in place.
func (*mpiWorld) allReduce(vals []int64, op Op) error {
	return mpiError("MPI_Iallreduce", C.g500_world_allreduce(int64s(vals), C.int(len(vals)), C.int(op)))
}

// swap fills the front of recv[r] with what rank r sends here, for every r but the rank itself. rooms are the lengths
// of recv's parts; incoming becomes the lengths of what came. Lengths go before the messages: MPICH does not tell how
// long a message was that had no room. Such a message is taken and dropped.
func (c mpiComm) swap(m messages, rooms []int64) error {
	if err := c.allToAllCounts(m.outgoing, m.incoming); err != nil {
		return err
	}
	m.recv = slices.Clone(m.recv)
	for r, bytes := range m.incoming {
		if bytes > rooms[r] {
			m.recv[r] = make([]byte, bytes)
		}
	}
	return c.exchange(m)
}

// libraryCUDAAware reports what the library says of itself, or what it has been told.
func libraryCUDAAware() bool {
	if said := C.g500_cuda_aware(); said >= 0 {
		return said > 0
	}
	return toldCUDAAware(os.Getenv)
}
