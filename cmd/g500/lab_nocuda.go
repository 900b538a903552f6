//go:build !cuda || !cgo

package main

import "g500/lab"

// gpuLab is of the GPU program only.
func gpuLab() (lab.Machine, error) { return nil, errNoGPUProgram }
