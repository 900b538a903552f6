//go:build !cuda || !cgo

package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"g500/cmd/cli"
	"g500/comm"
	"g500/record"
)

// gpuEngines is empty in this program.
var gpuEngines []engine

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

// gpuKernels identifies the kernels of this program, which has none.
func gpuKernels() string { return "" }

// gpus returns the GPU program's description of the GPUs, in lines.
func gpus() []string {
	program, err := gpuProgram.Find()
	if err != nil {
		return []string{err.Error()}
	}
	printed, err := exec.Command(program, "doctor", "--gpus").Output()
	if err != nil {
		return []string{fmt.Sprintf("%s doctor: %v", program, err)}
	}
	return strings.Split(strings.TrimSpace(string(printed)), "\n")
}

// gpuMemories returns the memory sizes of the GPUs in bytes, as the GPU program prints them; nil without a GPU.
func gpuMemories() (sizes []int64) {
	program, err := gpuProgram.Find()
	if err != nil {
		return nil
	}
	printed, err := exec.Command(program, "doctor", "--"+gpuMemoryFlag).Output()
	for _, word := range strings.Fields(string(printed)) {
		if size, wrong := strconv.ParseInt(word, 10, 64); err == nil && wrong == nil {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// gpusApart returns the pairs of GPUs that do not reach each other's memory, as the GPU program prints them.
func gpusApart() ([]string, error) {
	program, err := gpuProgram.Find()
	if err != nil {
		return nil, err
	}
	printed, err := exec.Command(program, "doctor", "--"+gpusApartFlag).Output()
	return strings.Fields(string(printed)), err
}
