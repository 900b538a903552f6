//go:build cuda && cgo

package main

import "g500/gpu/lab"

// What the laboratory has on a GPU: machines that search, one that colours, and one that holds a graph in pages.
var (
	gpuLab     = lab.NewLab
	gpuColorer = lab.NewColorer
	gpuPages   = lab.NewPages
)
