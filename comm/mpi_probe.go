// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

// #include "mpi_probe.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// probed exchanges messages among neighbours in one round, without lengths sent before. take returns the receive
// buffers for the lengths that the probes have found.
func (c mpiComm) probed(m messages, n Neighbours, take func(lengths []int64) [][]byte) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&m.outgoing[0])
	var sends C.struct_g500_requests
	defer func() { C.g500_end_offer(sends) }()
	if err := mpiError("AllToAll", C.g500_offer(c.forC(m, &pin), n.forC(), &sends)); err != nil {
		return err
	}
	m.recv = take(m.incoming)
	return mpiError("AllToAll", C.g500_take(c.forC(m, &pin), n.forC(), sends))
}

// allOthers returns all other ranks, beginning with the next one, so that not all ranks send to the same one at once.
func allOthers(rank, size int) (n Neighbours) {
	for i := 1; i < size; i++ {
		n.To = append(n.To, int32((rank+i)%size))
		n.From = append(n.From, int32((rank+size-i)%size))
	}
	return n
}

func (n Neighbours) forC() C.struct_g500_neighbours {
	return C.struct_g500_neighbours{
		to: (*C.int)(unsafe.SliceData(n.To)), sends: C.int(len(n.To)),
		from: (*C.int)(unsafe.SliceData(n.From)), receives: C.int(len(n.From)),
	}
}
