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
	// FileVariable names the library's file in the environment, where the loader of programs does not find it.
	FileVariable = "G500_NCCL"

	usualFile = "libnccl.so.2"
	oldest    = 21400 // as ncclGetVersion numbers 2.14.0

	// Multicast over NVLink stays out of use, unless the operator has settled that.
	multicastVariable = "NCCL_NVLS_ENABLE"
)

// cure ends what is said where the library is not found.
const cure = "install NCCL 2.14 or later, or name its file, libnccl.so.2, in " + FileVariable +
	", or its folder in LD_LIBRARY_PATH, on every host (mpirun of Open MPI hands a variable on by -x)"

// functionNames are the names of the functions of struct g500_nccl, in its order.
var functionNames = []string{
	"ncclGetVersion", "ncclGetErrorString", "ncclGetLastError", "ncclGetUniqueId", "ncclCommInitRankConfig",
	"ncclCommGetAsyncError", "ncclCommAbort", "ncclAllGather", "ncclSend", "ncclRecv", "ncclGroupStart", "ncclGroupEnd",
}

// Library is NCCL as it was found.
type Library struct {
	functions *C.struct_g500_nccl
	version   int
	file      string
}

// Find loads the library, once in a process: the file that G500_NCCL names, or what the loader of programs finds as
// libnccl.so.2.
var Find = sync.OnceValues(func() (*Library, error) {
	if os.Getenv(multicastVariable) == "" {
		os.Setenv(multicastVariable, "0")
	}
	return open(cmp.Or(os.Getenv(FileVariable), usualFile))
})

func open(file string) (*Library, error) {
	library, err := dynlib.Open(file)
	if err != nil {
		return nil, fmt.Errorf("nccl: NCCL is not found (%w): %s", err, cure)
	}
	functions, err := dynlib.Table[C.struct_g500_nccl](library, functionNames...)
	if err != nil {
		return nil, fmt.Errorf("nccl: %w: %s", err, cure)
	}
	l := &Library{functions: &functions, file: file}
	var version C.int
	if err := l.check("ncclGetVersion", C.g500_nccl_version(l.functions, &version)); err != nil {
		return nil, err
	}
	if l.version = int(version); l.version < oldest {
		return nil, fmt.Errorf("nccl: %s is NCCL of number %d, which is older than 2.14: %s", file, l.version, cure)
	}
	return l, nil
}

// String names the library: "NCCL 2.21.5".
func (l *Library) String() string {
	return fmt.Sprintf("NCCL %d.%d.%d", l.version/10000, l.version/100%100, l.version%100)
}

// File is the name under which it was found.
func (l *Library) File() string { return l.file }

// ID is what the ranks of a communicator have in common: one of them makes it, and tells the others.
type ID [unsafe.Sizeof(C.g500_nccl_id{})]byte

// NewID makes an ID. The rank that does so serves the others while they join.
func (l *Library) NewID() (id ID, err error) {
	err = l.check("ncclGetUniqueId", C.g500_nccl_unique_id(l.functions, (*C.g500_nccl_id)(unsafe.Pointer(&id))))
	return id, err
}

// check makes an error of what a call returns.
func (l *Library) check(call string, result C.int) error {
	if result == C.G500_NCCL_SUCCESS || result == C.G500_NCCL_IN_PROGRESS {
		return nil
	}
	text := C.GoString(C.g500_nccl_error_text(l.functions, result))
	return fmt.Errorf("nccl: %s: %s (%d); NCCL_DEBUG=WARN has NCCL say more", call, text, int(result))
}
