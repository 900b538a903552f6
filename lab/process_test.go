// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"errors"
	"os"
	"testing"

	"g500/internal/expect"
)

// A GPU that cannot be used is no fault of a strategy: it ends the measurement, which is resumed later.
func TestGPUThatFailed(t *testing.T) {
	const script = "#!/bin/sh\nread request\necho '{\"gpu\": \"it failed with CUDA error 79\"}'\nread end\n"
	path := expect.File(t, "child", script)
	expect.NoError(t, os.Chmod(path, 0o755))
	c := &Child{Program: path}
	err := c.Prepare(Strategy{Name: "any"})
	expect.Error(t, err, "the GPU failed: it failed with CUDA error 79")
	expect.That(t, !errors.Is(err, ErrFailed) && !errors.Is(err, ErrLeftOut) && c.process == nil,
		"%v is an error of the strategy, or a process is left: %v", err, c.process)
}
