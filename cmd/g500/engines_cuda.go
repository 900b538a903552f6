//go:build cuda && cgo

package main

import (
	"g500/bench"
	"g500/comm"
	"g500/gpu"
)

// gpuEngines are the engines of the GPU program.
var gpuEngines = []engine{
	{gpu.Name, func(t comm.Transport, _ int) (bench.Kit, error) { return gpu.Kit(t) }, true},
}

// toGPUProgram has nothing to do: this is the GPU program.
func toGPUProgram(bench.Config) error { return nil }

// gpuBuild says what this program's kernels were built with.
func gpuBuild() string { return gpu.Build() }

// gpus describes the GPUs of this machine, one a line.
func gpus() []string {
	lines, err := gpu.Describe(bench.DefaultConfig().Params())
	if err != nil {
		return []string{err.Error()}
	}
	return lines
}
