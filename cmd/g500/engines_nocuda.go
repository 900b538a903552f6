//go:build !cuda || !cgo

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"g500/comm"
	"g500/record"
)

// gpuEngines is empty: this program goes without GPUs. The GPU program is the same program with them, and lies
// beside this one. It is another file because its library ends it before main where there is no GPU.
var gpuEngines []engine

const gpuProgramName = "g500-cuda"

// What keeps a GPU engine from running.
var (
	errNoGPUProgram = errors.New("this build has no GPU engine: build it with make CUDA=1")
	errNoDriver     = errors.New("no NVIDIA driver is loaded; load it, pass the GPUs into the container, " +
		"or take --engine cpu")
)

// toGPUProgram lets the GPU program take this process over if the run asks for a GPU, or leaves the choice; it returns
// where that cannot be, with the reason. Under a launcher each process does so for itself, before it joins the others.
func toGPUProgram(cfg record.Config) error {
	if cfg.Search.Engine != gpuEngine && cfg.Search.Engine != "auto" {
		return nil
	}
	program, err := gpuProgram()
	if err != nil {
		return err
	}
	environment := gpuEnvironment(os.Environ(), cfg.Machine.Ranks)
	return syscall.Exec(program, append([]string{program}, os.Args[1:]...), environment)
}

// gpuEnvironment returns the environment of a GPU program with that number of ranks in its process. Kernels of the
// ranks wait for each other, so that each rank needs a hardware queue of its own, and no kernel may be loaded at its
// first use, which waits for the device. CUDA reads both variables before main. Values that the user has set stay.
func gpuEnvironment(environment []string, ranks int) []string {
	if ranks == 1 {
		return environment
	}
	all := slices.Clone(environment)
	for _, v := range [][2]string{{"CUDA_DEVICE_MAX_CONNECTIONS=", "32"}, {"CUDA_MODULE_LOADING=", "EAGER"}} {
		if !slices.ContainsFunc(environment, func(set string) bool { return strings.HasPrefix(set, v[0]) }) {
			all = append(all, v[0]+v[1])
		}
	}
	return all
}

// gpuProgram finds the GPU program, and makes sure that it can run here.
func gpuProgram() (string, error) {
	program, err := besideThis(gpuProgramName)
	if err != nil {
		return "", errNoGPUProgram
	}
	if !driverLoaded() {
		return "", errNoDriver
	}
	said, err := exec.Command(program, "version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the GPU program %s cannot run here: %w: %s", program, err, bytes.TrimSpace(said))
	}
	return program, nil
}

// besideThis is the path of another program in the folder of this one.
func besideThis(name string) (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(filepath.Dir(self), name))
}

// driverLoaded looks for the driver's own files, or in a container for its device and library.
func driverLoaded() bool {
	exists := func(pattern string) bool {
		found, _ := filepath.Glob(pattern)
		return len(found) > 0
	}
	return exists("/proc/driver/nvidia/version") ||
		exists("/dev/nvidia0") && (exists("/usr/lib*/libcuda.so.1") || exists("/usr/lib/*/libcuda.so.1"))
}

// gpuLinks is of the GPU program only.
func gpuLinks(comm.Transport, string, int64) (gpuTransport, error) {
	return nil, onAllRanks(errNoGPUProgram)
}

// gpuBuild names the GPU program, if it was built.
func gpuBuild() string {
	if program, err := besideThis(gpuProgramName); err == nil {
		return "GPU engine in " + program
	}
	return "no GPU engine (build with make CUDA=1)"
}

// gpuKernels names the kernels of this program: none.
func gpuKernels() string { return "" }

// gpus lets the GPU program describe the GPUs, in lines.
func gpus() []string {
	program, err := gpuProgram()
	if err != nil {
		return []string{err.Error()}
	}
	said, err := exec.Command(program, "doctor", "--gpus").Output()
	if err != nil {
		return []string{fmt.Sprintf("%s doctor: %v", program, err)}
	}
	return strings.Split(strings.TrimSpace(string(said)), "\n")
}

// gpuMemories lets the GPU program tell the sizes of the GPUs, in bytes; nil where there are none to use.
func gpuMemories() (sizes []int64) {
	program, err := gpuProgram()
	if err != nil {
		return nil
	}
	said, err := exec.Command(program, "doctor", "--"+gpuMemoryFlag).Output()
	if err != nil {
		return nil
	}
	for _, word := range strings.Fields(string(said)) {
		size, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil
		}
		sizes = append(sizes, size)
	}
	return sizes
}
