// SPDX-License-Identifier: Apache-2.0

//go:build !cuda || !cgo

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"

	"g500/cmd/cli"
	"g500/comm"
	"g500/record"
)

// gpuEngines is empty in this program.
var gpuEngines []engineChoice

// gpuProgram has engine gpu.
var gpuProgram = cli.GPUProgram{Name: "g500-cuda", Make: "make CUDA=1"}

// toGPUProgram executes the GPU program in this process if the engine is gpu or auto. It returns only if that is not
// possible, with the reason.
func toGPUProgram(cfg record.Config) error {
	return gpuProgram.Exec(cfg.Search.Engine, cfg.Machine.Ranks)
}

// gpuLinks is implemented by the GPU program only.
func gpuLinks(comm.Transport, string, int64) (gpuTransport, error) {
	return nil, onAllRanks(gpuProgram.Missing())
}

// gpuPaths is implemented by the GPU program only.
func gpuPaths(comm.Transport) (paths, busID string, err error) {
	return "", "", onAllRanks(gpuProgram.Missing())
}

// gpuBuild names the GPU program, if it was built.
func gpuBuild() string { return gpuProgram.Built() }

// gpuUnbuilt returns an error if the GPU program was not built.
func gpuUnbuilt() error {
	if _, err := gpuProgram.Path(); err != nil {
		return gpuProgram.Missing()
	}
	return nil
}

// gpus returns the GPUs of this node, as the GPU program prints them.
func gpus() (f gpuFacts) {
	program, err := gpuProgram.Find()
	if err == nil {
		var printed []byte
		if printed, err = exec.Command(program, "doctor", "--"+gpuFactsFlag).Output(); err == nil {
			err = json.Unmarshal(printed, &f)
		}
		if err != nil {
			err = fmt.Errorf("%s doctor: %w", program, err)
		}
	}
	if err != nil {
		return gpuFacts{Lines: []string{err.Error()}, Unknown: err.Error()}
	}
	return f
}
