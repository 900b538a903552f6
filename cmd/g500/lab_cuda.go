//go:build cuda && cgo

package main

import (
	"g500/gpu"
	"g500/lab"
)

// gpuLab is the laboratory's GPU.
func gpuLab() (lab.Machine, error) { return gpu.NewLab() }
