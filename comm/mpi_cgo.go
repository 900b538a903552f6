// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

// #include "mpi_cgo.h"
import "C"

import (
	"cmp"
	"fmt"
	"runtime"
	"unsafe"
)

// mpiComm is a communicator whose calls return errors.
type mpiComm struct{ handle C.MPI_Comm }

// threadsMultiple reports whether several threads may call MPI at the same time.
func threadsMultiple() bool {
	var level C.int
	return C.MPI_Query_thread(&level) == C.MPI_SUCCESS && level == C.MPI_THREAD_MULTIPLE
}

// initMPI starts MPI with at least the thread level MPI_THREAD_SERIALIZED, which gompi.Start does not request.
func initMPI() error {
	var threads C.int
	level := C.int(C.MPI_THREAD_SERIALIZED)
	if ManyThreads {
		level = C.MPI_THREAD_MULTIPLE
	}
	if err := mpiError("MPI_Init_thread", C.MPI_Init_thread(nil, nil, level, &threads)); err != nil {
		return err
	}
	if threads < C.MPI_THREAD_SERIALIZED {
		return fmt.Errorf("comm: this MPI library has thread level %s; use one built with threads", nameOf(threads))
	}
	return nil
}

// ThreadLevel describes the thread level of MPI and the one that this program needs; "" before MPI has started.
func ThreadLevel() string {
	var threads C.int
	if !mpiStarted() || C.MPI_Query_thread(&threads) != C.MPI_SUCCESS {
		return ""
	}
	return nameOf(threads)
}

func nameOf(level C.int) string {
	names := map[C.int]string{C.MPI_THREAD_SINGLE: "SINGLE", C.MPI_THREAD_FUNNELED: "FUNNELED",
		C.MPI_THREAD_SERIALIZED: "SERIALIZED", C.MPI_THREAD_MULTIPLE: "MULTIPLE"}
	return fmt.Sprintf("MPI_THREAD_%s, needed is MPI_THREAD_SERIALIZED", cmp.Or(names[level], fmt.Sprint(level)))
}

// newMPIComm duplicates MPI_COMM_WORLD.
func newMPIComm() (c mpiComm, err error) {
	err = mpiError("MPI_Comm_dup", C.g500_dup(&c.handle))
	return c, err
}

// lowestOnNode returns the lowest rank that shares memory with this one.
func (c mpiComm) lowestOnNode() (int, error) {
	var lowest C.int
	err := mpiError("MPI_Comm_split_type", C.g500_lowest_on_node(c.handle, &lowest))
	return int(lowest), err
}

// allToAllCounts sends outgoing[r] to each rank r, and fills incoming[r] with the number from rank r.
func (c mpiComm) allToAllCounts(outgoing, incoming []int64) error {
	return mpiError("AllToAll", C.g500_alltoall(c.handle, int64s(outgoing), int64s(incoming)))
}

// allGather gathers one block of words from each of size ranks, at most cut words of a block per call.
func (c mpiComm) allGather(words []uint64, size, cut int) error {
	first := (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(words)))
	return mpiError("AllGather", C.g500_allgather(c.handle, first, C.int64_t(len(words)/size), C.int64_t(cut)))
}

// messages are the messages between one rank and the others; element r of each slice is for rank r.
type messages struct {
	rank               int
	send, recv         [][]byte
	outgoing, incoming []int64 // lengths in bytes
	cut                int     // the largest number of bytes of one MPI call
}

// exchange fills recv[r] with the message of each other rank r.
func (c mpiComm) exchange(m messages) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return mpiError("AllToAll", C.g500_exchange(c.forC(m, &pin)))
}

// forC returns m for C, with the messages pinned.
func (c mpiComm) forC(m messages, pin *runtime.Pinner) C.struct_g500_messages {
	return C.struct_g500_messages{
		comm: c.handle, rank: C.int(m.rank), size: C.int(len(m.send)), cut: C.int64_t(m.cut),
		send: addresses(m.send, pin), outgoing: int64s(m.outgoing),
		recv: addresses(m.recv, pin), incoming: int64s(m.incoming),
	}
}

// addresses returns a C array of the addresses of parts, and pins the parts. The address of an empty part is null.
func addresses(parts [][]byte, pin *runtime.Pinner) *unsafe.Pointer {
	at := make([]unsafe.Pointer, len(parts))
	for r, p := range parts {
		if len(p) > 0 {
			at[r] = unsafe.Pointer(unsafe.SliceData(p))
			pin.Pin(at[r])
		}
	}
	return unsafe.SliceData(at)
}

func int64s(s []int64) *C.int64_t { return (*C.int64_t)(unsafe.Pointer(unsafe.SliceData(s))) }

// mpiError returns the error for the result of an MPI call, nil for success.
func mpiError(call string, code C.int) error {
	if code == C.MPI_SUCCESS {
		return nil
	}
	var text [C.MPI_MAX_ERROR_STRING]C.char
	var n C.int
	C.MPI_Error_string(code, &text[0], &n)
	return fmt.Errorf("comm: %s: %s", call, C.GoStringN(&text[0], n))
}

// MPIVersion returns the name and version of the MPI library.
func MPIVersion() string {
	var text [C.MPI_MAX_LIBRARY_VERSION_STRING]C.char
	var n C.int
	C.MPI_Get_library_version(&text[0], &n)
	return libraryName(C.GoStringN(&text[0], n))
}
