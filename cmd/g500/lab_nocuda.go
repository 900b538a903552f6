//go:build !cuda || !cgo

package main

import (
	"time"

	"g500/comm"
	"g500/lab"
	"g500/lab/color"
	"g500/lab/pages"
)

// Only the GPU program implements gpuLab, gpuColorer and gpuPages.
func gpuLab(comm.Transport, func() time.Duration) ([]lab.Machine, error) { return nil, errNoGPUProgram }

func gpuColorer(func() time.Duration) (color.Machine, error) { return nil, errNoGPUProgram }

func gpuPages() (pages.Machine, error) { return nil, errNoGPUProgram }
