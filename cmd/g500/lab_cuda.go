//go:build cuda && cgo

package main

import "g500/gpu"

// What the laboratory has on a GPU: machines that search, and one that colours.
var (
	gpuLab     = gpu.NewLab
	gpuColorer = gpu.NewColorer
)
