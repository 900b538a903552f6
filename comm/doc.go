// Package comm moves words between ranks. It does not depend on graphs.
//
// Transport is the interface. Loopback runs ranks as goroutines of one process and needs nothing but Go; MPI runs
// them as processes (build tag mpi, with cgo). Both pass the suite in comm/commtest.
//
// Launchers own failure: when one rank returns an error, panics or is killed, the job ends on every rank, and the
// reason is printed once. If several ranks may fail, Agree first makes them agree on one reason. Loopback also stops
// ranks that are out of step, such as one that returns while others wait for it; under MPI such a job hangs.
//
// The MPI library is Open MPI, or with the build tag mpich one of the MPICH family. Code that depends on it is in
// mpi_gompi.go with mpi_swap.go, mpi_mpich.go, and the two halves of waits.h.
//
// gompi, which is for Open MPI, carries the calls in which it is sound: communicator, rank, size, barrier, reductions
// of int64, abort and the end. It drops errors, sends empty slices to a panic and has neither thread levels nor
// exchanges of uneven length; mpi_cgo.go has these.
package comm
