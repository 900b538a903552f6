//go:build cuda && cgo

package main

import "g500/gpu"

// gpuLab makes the laboratory's machines on a GPU.
var gpuLab = gpu.NewLab
