// Package comm moves words between ranks. It knows nothing of graphs.
//
// Transport is the door. Loopback runs ranks as goroutines of one process and needs nothing but Go; MPI runs
// them as processes (build tag mpi, with cgo). Both pass the suite in comm/commtest.
//
// Launchers own failure: when one rank returns an error, panics or is killed, the job ends on every rank, and the
// reason is told once. Where ranks can fail alike, Agree brings them to one reason first. Loopback also stops
// ranks that are out of step, as one that returns while others wait for it; under MPI such a job hangs.
//
// The MPI library is Open MPI, or with the build tag mpich one of MPICH's kind. What depends on it is in three places:
// mpi_gompi.go with mpi_swap.go, mpi_mpich.go, and the two halves of waits.h. All else speaks plain MPI.
//
// gompi, which is for Open MPI, carries the calls in which it is sound: communicator, rank, size, barrier, reductions
// of int64, abort and the end. It drops errors, sends empty slices to a panic and has neither thread levels nor
// exchanges of uneven length; the file mpi_cgo.go has what it lacks.
package comm
