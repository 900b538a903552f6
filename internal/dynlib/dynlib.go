// SPDX-License-Identifier: Apache-2.0

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

// Load returns the addresses of functions of a shared library in a struct of C function pointers, in the order of its
// fields. The library is a file with a path, or one that the system's loader finds by its name. It stays loaded until
// the process ends, because its own threads may run until then.
func Load[T any](file string, names ...string) (table T, err error) {
	functions := unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(&table)), unsafe.Sizeof(table)/unsafe.Sizeof(uintptr(0)))
	if len(functions) != len(names) {
		return table, fmt.Errorf("%d names for the %d function pointers of %T", len(names), len(functions), table)
	}
	library, err := open(file)
	if err != nil {
		return table, err
	}
	for i, name := range names {
		text := C.CString(name)
		functions[i] = C.dlsym(library, text)
		C.free(unsafe.Pointer(text))
		if functions[i] == nil {
			return table, fmt.Errorf("%s has no function %s", file, name)
		}
	}
	return table, nil
}

func open(file string) (library unsafe.Pointer, err error) {
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	runtime.LockOSThread() // dlerror describes the last error of the calling thread
	defer runtime.UnlockOSThread()
	if library = C.dlopen(name, C.RTLD_NOW|C.RTLD_LOCAL); library == nil {
		err = errors.New(C.GoString(C.dlerror()))
	}
	return library, err
}
