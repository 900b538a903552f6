//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"errors"
	"fmt"
	"reflect"
)

// Error is a call that failed on the device or in its driver.
type Error struct {
	Call string // what was to be done
	Code int    // cudaError_t or CUresult, whose numbers mean the same
	Name string // as in cudaErrorMemoryAllocation
	Text string // the driver's words
}

// Error says what failed, and the cure where the user has one.
func (e *Error) Error() string {
	return fmt.Sprintf("cuda: %s: %s (%s, %d)%s", e.Call, e.Text, e.Name, e.Code, cures[e.Code])
}

// OutOfMemory is the Code of an allocation that the device has no room for.
const OutOfMemory = 2

// peerAccessAlreadyEnabled is the Code of enabling access to a peer a second time.
const peerAccessAlreadyEnabled = 704

// cures are what the user can do about an error, by its code.
var cures = map[int]string{
	OutOfMemory: "; use a smaller scale, or see with nvidia-smi who else uses the GPU",
	35:          "; update the NVIDIA driver, or build with an older CUDA toolkit",
	46:          "; the GPU is taken by another process or in prohibited mode, see nvidia-smi",
	209:         "; rebuild with make CUDA=1 CUDA_ARCH= and the GPU's compute capability, 90 for an H100",
	214:         "; the GPU's memory is faulty, see nvidia-smi -q -d ECC",
	222:         "; update the NVIDIA driver, or build for this GPU with make CUDA=1 CUDA_ARCH=",
}

// check turns the code of one of our own C functions into an error.
func check(call string, code C.int) error {
	if code == 0 {
		return nil
	}
	return failure(call, int(code))
}

// checkDriver does the same for an error of gorgonia.org/cu, whose type is a number that it does not export.
func checkDriver(call string, err error) error {
	if err == nil {
		return nil
	}
	if value := reflect.ValueOf(err); value.CanInt() {
		return failure(call, int(value.Int()))
	}
	return fmt.Errorf("cuda: %s: %w", call, err)
}

func failure(call string, code int) *Error {
	return &Error{call, code, C.GoString(C.g500_error_name(C.int(code))), C.GoString(C.g500_error_text(C.int(code)))}
}

// hasCode reports whether an error is of the device or its driver and has that code.
func hasCode(err error, code int) bool {
	var fault *Error
	return errors.As(err, &fault) && fault.Code == code
}
