//go:build cuda && cgo

package main

import (
	"g500/bench"
	"g500/comm"
	"g500/gpu"
)

// gpuEngines are the engines of the GPU program.
var gpuEngines = []engine{{name: gpuEngine, kit: onGPU, ways: true}}

// onGPU makes the kit of this rank's GPU.
func onGPU(t comm.Transport, cfg bench.Config, _ int) (bench.Kit, error) {
	return gpu.Kit(t, gpu.Options{Exchange: cfg.Search.Exchange, Carrier: cfg.Machine.Carrier})
}

// toGPUProgram has nothing to do: this is the GPU program.
func toGPUProgram(bench.Config) error { return nil }

// gpuBuild says what this program's kernels were built with.
func gpuBuild() string { return gpu.Build() }

// gpus describes the GPUs of this machine, in lines.
func gpus() []string {
	lines, err := gpu.Describe(bench.DefaultConfig().Params())
	if err != nil {
		return []string{err.Error()}
	}
	return lines
}
