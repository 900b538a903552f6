//go:build !cuda || !cgo

package main

import (
	"time"

	"g500/comm"
	"g500/lab"
)

// gpuLab is of the GPU program only.
func gpuLab(comm.Transport, func() time.Duration) ([]lab.Machine, error) { return nil, errNoGPUProgram }
