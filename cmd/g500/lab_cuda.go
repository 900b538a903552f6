//go:build cuda && cgo

package main

import "g500/gpu"

// What the laboratory has on a GPU: machines that search, one that colours, and one that holds a graph in pages.
var (
	gpuLab     = gpu.NewLab
	gpuColorer = gpu.NewColorer
	gpuPages   = gpu.NewPages
)
