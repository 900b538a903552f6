//go:build cuda && cgo

package main

import "g500/gpu/lab"

// The constructors of the laboratory's machines on a GPU.
var (
	gpuLab     = lab.NewLab
	gpuColorer = lab.NewColorer
	gpuPages   = lab.NewPages
)
