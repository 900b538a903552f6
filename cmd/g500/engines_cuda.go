//go:build cuda && cgo

package main

import (
	"g500/bench"
	"g500/comm"
	"g500/cuda"
	"g500/gpu"
	"g500/gpu/device"
	"g500/internal/power"
	"g500/record"
)

// gpuEngines are the engines of the GPU program.
var gpuEngines = []engine{{name: gpuEngine, backend: onGPU, ways: true}}

// onGPU makes the backend of this rank's GPU.
func onGPU(t comm.Transport, cfg record.Config, _ int) (bench.Backend, error) {
	backend, err := gpu.NewBackend(t, gpu.Options{
		Exchange: cfg.Search.Exchange, Transport: cfg.Machine.GPUTransport, Tuples: cfg.Machine.EdgeMemory,
		ResultBits: cfg.Search.ResultBits, Policy: cfg.Policy,
	})
	backend.Meters = gpuMeters
	return backend, err
}

// gpuLinks makes what measures the links of this rank's GPU.
func gpuLinks(t comm.Transport, transport string, room int64) (gpuTransport, error) {
	return device.NewLinks(t, transport, room)
}

// gpuMeters opens the meter of this rank's GPU, and that of the host's processors where it can be read.
func gpuMeters() ([]power.Meter, error) {
	card, err := power.NVML()
	if err != nil {
		return nil, err
	}
	meters := []power.Meter{card}
	if processors, err := power.RAPL(power.Powercap); err == nil {
		meters = append(meters, processors)
	}
	return meters, nil
}

// toGPUProgram has nothing to do: this is the GPU program.
func toGPUProgram(record.Config) error { return nil }

// gpuBuild says what this program's kernels were built with.
func gpuBuild() string { return gpu.Build() }

// gpuKernels names the kernels of this program.
func gpuKernels() string { return gpu.Build() }

// gpus describes the GPUs of this machine, in lines.
func gpus() []string {
	lines, err := gpu.Describe(record.DefaultConfig().Params())
	if err != nil {
		return []string{err.Error()}
	}
	return lines
}

// gpuMemories are the sizes of this machine's GPUs, in bytes; nil where there are none to use.
func gpuMemories() (sizes []int64) {
	cards, err := cuda.Cards()
	if err != nil {
		return nil
	}
	for _, card := range cards {
		sizes = append(sizes, card.Memory)
	}
	return sizes
}
