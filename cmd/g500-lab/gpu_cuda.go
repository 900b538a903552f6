// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package main

import (
	"g500/cuda"
	"g500/gpu/lab"
	"g500/internal/power"
)

// toGPUProgram returns nil: this is the GPU program.
func toGPUProgram(string) error { return nil }

// gpuName returns the name and the bus id of the first GPU, without opening it.
func gpuName() (name, busID string, err error) {
	card, err := cuda.CardOf(0)
	return card.String(), card.BusID, err
}

// gpuBuild describes the build of the kernels.
func gpuBuild() string { return cuda.Built() }

var (
	gpuEngine = lab.NewEngine
	gpuBusy   = power.Busy
)
