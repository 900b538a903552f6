// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package nccl

// #include "library.h"
import "C"

import (
	"cmp"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"g500/internal/dynlib"
)

const (
	// FileVariable is the environment variable with the library's file, if the dynamic loader cannot find it.
	FileVariable = "G500_NCCL"

	usualFile = "libnccl.so.2"
	oldest    = 21400 // the number of version 2.14.0

	// Multicast over NVLink is disabled, unless the operator has set the variable.
	multicastVariable = "NCCL_NVLS_ENABLE"
)

// cure ends the errors of Find.
const cure = "install NCCL 2.14 or later, or name its file, libnccl.so.2, in " + FileVariable +
	", or its folder in LD_LIBRARY_PATH, on every node (Open MPI's mpirun passes variables with -x)"

// functionNames has the names of the functions of struct g500_nccl, in the same order.
var functionNames = []string{
	"ncclGetVersion", "ncclGetErrorString", "ncclGetLastError", "ncclGetUniqueId", "ncclCommInitRankConfig",
	"ncclCommGetAsyncError", "ncclCommAbort", "ncclAllGather", "ncclSend", "ncclRecv", "ncclGroupStart", "ncclGroupEnd",
}

// Library is the loaded library.
type Library struct {
	functions *C.struct_g500_nccl
	version   int
	file      string
}

// Find loads the library, once per process: the file in G500_NCCL, or the dynamic loader's libnccl.so.2.
var Find = sync.OnceValues(func() (*Library, error) {
	if os.Getenv(multicastVariable) == "" {
		os.Setenv(multicastVariable, "0")
	}
	return open(cmp.Or(os.Getenv(FileVariable), usualFile))
})

func open(file string) (*Library, error) {
	functions, err := dynlib.Load[C.struct_g500_nccl](file, functionNames...)
	if err != nil {
		return nil, fmt.Errorf("nccl: NCCL is not found (%w): %s", err, cure)
	}
	l := &Library{functions: &functions, file: file}
	var version C.int
	if err := l.check("ncclGetVersion", C.g500_nccl_version(l.functions, &version)); err != nil {
		return nil, err
	}
	if l.version = int(version); l.version < oldest {
		return nil, fmt.Errorf("nccl: %s has the version number %d, older than NCCL 2.14: %s", file, l.version, cure)
	}
	return l, nil
}

// String returns the name and version: "NCCL 2.21.5".
func (l *Library) String() string {
	return fmt.Sprintf("NCCL %d.%d.%d", l.version/10000, l.version/100%100, l.version%100)
}

// File returns the library's file.
func (l *Library) File() string { return l.file }

// ID identifies a communicator. One rank creates it and sends it to the others.
type ID [unsafe.Sizeof(C.g500_nccl_id{})]byte

// NewID returns a new ID. Its rank serves the others while they join.
func (l *Library) NewID() (id ID, err error) {
	err = l.check("ncclGetUniqueId", C.g500_nccl_unique_id(l.functions, (*C.g500_nccl_id)(unsafe.Pointer(&id))))
	return id, err
}

// check returns the error for the result of a call, nil for success and progress.
func (l *Library) check(call string, result C.int) error {
	if result == C.G500_NCCL_SUCCESS || result == C.G500_NCCL_IN_PROGRESS {
		return nil
	}
	text := C.GoString(C.g500_nccl_error_text(l.functions, result))
	return fmt.Errorf("nccl: %s: %s (%d); NCCL_DEBUG=WARN prints details", call, text, int(result))
}
