// SPDX-License-Identifier: Apache-2.0

// Package comm exchanges messages between ranks. It does not depend on graphs.
//
// Transport is the interface. Loopback runs ranks as goroutines of one process and needs only Go; MPI runs ranks as
// processes (build tag mpi, with cgo). Both pass the suite in comm/commtest.
//
// If one rank returns an error, panics or is killed, its launcher ends the job on every rank and prints the reason
// once. If several ranks may fail, Agree first makes them agree on one reason. Loopback also stops ranks that call
// different collectives; under MPI such a job hangs.
//
// The MPI library is Open MPI, or with the build tag mpich one of the MPICH family. Code that depends on it is in
// mpi_gompi.go, mpi_mpich.go, and the two halves of waits.h.
//
// With Open MPI, gompi makes the calls that it supports correctly: communicator, rank, size, barrier, reductions of
// int64, abort and finalisation. It drops errors, panics on empty slices, and has neither thread levels nor exchanges
// of different lengths; mpi_cgo.go has these.
package comm
