// SPDX-License-Identifier: Apache-2.0

//go:build !cuda || !cgo

package main

import (
	"time"

	"g500/cmd/cli"
	"g500/comm"
	"g500/lab"
)

// gpuProgram has the machines on a GPU.
var gpuProgram = cli.GPUProgram{Name: "g500-lab-cuda", Make: "make lab CUDA=1"}

// toGPUProgram executes the GPU program in this process if the engine is gpu or auto. It returns only if that is not
// possible, with the reason.
func toGPUProgram(engine string) error { return gpuProgram.Exec(engine, 1) }

// gpuBuild names the GPU program, if it was built.
func gpuBuild() string { return gpuProgram.Built() }

func gpuEngine(comm.Transport, func() time.Duration) (lab.Machine, error) {
	return nil, gpuProgram.Missing()
}

func gpuBusy(string) float64 { return 0 }

func gpuName() (name, busID string, err error) { return "", "", gpuProgram.Missing() }
