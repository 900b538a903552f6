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
	"time"

	"g500/internal/timeout"
)

// ErrEnded is the error of a search that Search.End or Paths.End has ended.
var ErrEnded = errors.New("cuda: the search was ended")

// ownPatience is the factor between the times that a rank waits for its own blocks and for other ranks
// (cuda/common/ranks.cuh).
const ownPatience = 12

// The limits of exchanges are the same here and in CUDA: else this does not compile.
var _ = [1]struct{}{}[timeout.SlowestNetwork-C.G500_SLOWEST_NETWORK]

// givenUp returns the reason why a breadth-first search was given up. wait is the time limit for other ranks.
func givenUp(s *C.g500_stall, wait time.Duration) error {
	step := stepOf(s.step)
	where := fmt.Sprintf("in step %s of level %d", cmp.Or(step.Variant, step.Name), s.number)
	return stallError(s, where, wait)
}

// pathsGivenUp is givenUp for shortest paths.
func pathsGivenUp(s *C.g500_stall, wait time.Duration) error {
	where := fmt.Sprintf("in step %s, round %d of pushes, nearest landmark at %g, window up to %g",
		pathSteps[s.step], s.number, float32(s.nearest), float32(s.threshold))
	return stallError(s, where, wait)
}

// stallError describes the unit that made no progress.
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
