// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"reflect"
)

// Error is a failed call of the device or its driver.
type Error struct {
	Call string // for people, such as "opening GPU 0"
	Code int    // cudaError_t or CUresult, which have the same numbers
	Name string // as in cudaErrorMemoryAllocation
	Text string // the driver's description
}

// Error returns the failed call, the driver's description and, if there is one, the cure.
func (e *Error) Error() string {
	return fmt.Sprintf("cuda: %s: %s (%s, %d)%s", e.Call, e.Text, e.Name, e.Code, cures[e.Code])
}

// OutOfMemory is the Code of an allocation for which the device lacks memory.
const OutOfMemory = 2

// NotSupported is the Code of csrcolor without cuSPARSE.
const NotSupported = 801

// peerAccessAlreadyEnabled is the Code if access to a peer is enabled a second time.
const peerAccessAlreadyEnabled = 704

// cures has the advice to the user for an error code.
var cures = map[int]string{
	OutOfMemory: "; use a smaller scale, or look with nvidia-smi for other users of the GPU",
	35:          "; update the NVIDIA driver, or build with an older CUDA toolkit",
	46:          "; the GPU is taken by another process or in prohibited mode, see nvidia-smi",
	209:         "; rebuild with make CUDA=1 CUDA_ARCH= and the GPU's compute capability, 90 for an H100",
	214:         "; the GPU's memory is faulty, see nvidia-smi -q -d ECC",
	222:         "; update the NVIDIA driver, or build for this GPU with make CUDA=1 CUDA_ARCH=",
}

// check returns an error unless the code of a C function is 0.
func check(call string, code C.int) error {
	if code == 0 {
		return nil
	}
	return failure(call, int(code))
}

// checkDriver converts an error of gorgonia.org/cu, whose type is an unexported number.
func checkDriver(call string, err error) error {
	if err == nil {
		return nil
	}
	if value := reflect.ValueOf(err); value.CanInt() {
		return failure(call, int(value.Int()))
	}
	return fmt.Errorf("cuda: %s: %w", call, err)
}

// Check is check for C functions of other packages.
func Check(call string, code int) error { return check(call, C.int(code)) }

func failure(call string, code int) *Error {
	return &Error{call, code, C.GoString(C.g500_error_name(C.int(code))), C.GoString(C.g500_error_text(C.int(code)))}
}

// hasCode reports whether err is an Error with that code.
func hasCode(err error, code int) bool {
	var fault *Error
	return errors.As(err, &fault) && fault.Code == code
}
