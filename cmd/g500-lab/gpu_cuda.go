// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package main

import (
	"cmp"
	"errors"

	"g500/cuda"
	"g500/gpu/lab"
	"g500/internal/power"
)

// toGPUProgram returns nil: this is the GPU program.
func toGPUProgram(string) error { return nil }

// gpuName returns the name of the first GPU, without opening it.
func gpuName() (string, error) {
	cards, err := cuda.Cards()
	if len(cards) == 0 {
		return "", cmp.Or(err, errors.New("this process may use no GPU: is CUDA_VISIBLE_DEVICES empty?"))
	}
	return cards[0].String(), err
}

// gpuBuild describes the build of the kernels.
func gpuBuild() string { return cuda.Built() }

// Constructors of machines on a GPU.
var (
	gpuSearchers = lab.NewLab
	gpuBusy      = power.Busy
)
