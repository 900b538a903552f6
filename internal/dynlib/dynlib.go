//go:build cgo

package dynlib

// #cgo LDFLAGS: -ldl
// #include <dlfcn.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// Library is a shared library. It stays loaded until the process ends, because its own threads may run until then.
type Library struct {
	file   string
	handle unsafe.Pointer
}

// Open loads a library: a file with a path, or one that the system's loader finds by its name.
func Open(file string) (*Library, error) {
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	runtime.LockOSThread() // dlerror describes the last error of the calling thread
	defer runtime.UnlockOSThread()
	handle := C.dlopen(name, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return nil, errors.New(C.GoString(C.dlerror()))
	}
	return &Library{file, handle}, nil
}

// Find returns the address of a function, nil if the library has no such function.
func (l *Library) Find(function string) unsafe.Pointer {
	name := C.CString(function)
	defer C.free(unsafe.Pointer(name))
	return C.dlsym(l.handle, name)
}

// Table returns the addresses of functions in a struct of C function pointers, in the order of its fields.
func Table[T any](l *Library, names ...string) (table T, err error) {
	functions := unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(&table)), unsafe.Sizeof(table)/unsafe.Sizeof(uintptr(0)))
	if len(functions) != len(names) {
		return table, fmt.Errorf("%d names for the %d function pointers of %T", len(names), len(functions), table)
	}
	for i, name := range names {
		if functions[i] = l.Find(name); functions[i] == nil {
			return table, fmt.Errorf("%s has no function %s", l.file, name)
		}
	}
	return table, nil
}
