// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"g500/internal/timeout"
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

func failure(call string, code int) *Error {
	return &Error{call, code, C.GoString(C.g500_error_name(C.int(code))), C.GoString(C.g500_error_text(C.int(code)))}
}

// hasCode reports whether err is an Error with that code.
func hasCode(err error, code int) bool {
	var fault *Error
	return errors.As(err, &fault) && fault.Code == code
}

// ErrEnded is the error of a search that Search.End or Paths.End has ended.
var ErrEnded = errors.New("cuda: the search was ended")

// ownPatience is the factor between the times that a rank waits for its own blocks and for other ranks
// (cuda/common/ranks.cuh).
const ownPatience = 12

// The limits of exchanges are the same here and in CUDA: else this does not compile.
var _ = [1]struct{}{}[timeout.SlowestNetwork-C.G500_SLOWEST_NETWORK]

// inLevel describes the place at which a breadth-first search was given up.
func inLevel(s *C.g500_stall) string {
	step := stepOf(s.step)
	return fmt.Sprintf("in step %s of level %d", cmp.Or(step.Variant, step.Name), s.number)
}

// inPathStep is inLevel for shortest paths.
func inPathStep(s *C.g500_stall) string {
	return fmt.Sprintf("in step %s, round %d of pushes, nearest landmark at %g, window up to %g",
		pathSteps[s.step], s.number, float32(s.nearest), float32(s.threshold))
}

// stallError describes the unit that made no progress. wait is the time limit for other ranks.
func stallError(s *C.g500_stall, where string, wait time.Duration) error {
	const cure = "raise the policy's wait_seconds if the GPU is shared or slow, else report it"
	own := ownPatience * wait
	switch s.why {
	case C.G500_HOST_REQUESTED:
		return ErrEnded
	case C.G500_RANK_SILENT:
		return fmt.Errorf("cuda: rank %d did not reply for %v during a search, %s: look at its output, and whether its GPU "+
			"is busy%s", s.rank, wait, where, fewConnections())
	case C.G500_EXCHANGE_LATE:
		return fmt.Errorf("cuda: an exchange between ranks has not ended within %v and the time for its bytes, %s: look at "+
			"the output of the other ranks, or choose another --gpu-transport", wait, where)
	case C.G500_RANK_GAVE_UP:
		return fmt.Errorf("cuda: another rank has given up a search, %s: look at the output of the other ranks", where)
	case C.G500_QUEUE_TOO_LONG:
		return fmt.Errorf("cuda: %d vertices are queued %s, more than the limit of %d: use more ranks",
			s.done, where, s.all)
	case C.G500_QUEUE_STALLED:
		return fmt.Errorf("cuda: a search has stalled %s: %d of %d queue entries are done, and no more for %v; %s",
			where, s.done, s.all, own, cure)
	}
	return fmt.Errorf("cuda: a search has stalled %s: %d of %d blocks have reached a barrier, and no more for %v; %s",
		where, s.done, s.all, own, cure)
}

// connections is the variable with the number of hardware queues of a process on a GPU: 8 if it is unset, at most
// mostConnections. Kernels in one queue do not overlap. g500 sets the variable if a process has several ranks.
const (
	connections     = "CUDA_DEVICE_MAX_CONNECTIONS"
	mostConnections = "32"
)

// fewConnections returns advice if the variable is set, else an empty string.
func fewConnections() string {
	value := os.Getenv(connections)
	if value == "" || value == mostConnections {
		return ""
	}
	return fmt.Sprintf("; %s=%s: kernels of ranks that share a queue do not run at the same time, unset it",
		connections, value)
}
