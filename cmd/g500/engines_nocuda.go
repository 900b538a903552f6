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
	"time"

	"g500/comm"
	"g500/lab"
	"g500/lab/color"
	"g500/lab/pages"
	"g500/record"
)

// gpuEngines is empty in this program. The GPU program is a second file in the same folder, because its library ends it
// before main on machines without a GPU.
var gpuEngines []engine

const gpuProgramName = "g500-cuda"

// Reasons why a GPU engine cannot run.
var (
	errNoGPUProgram = errors.New("this build has no GPU engine: build it with make CUDA=1")
	errNoDriver     = errors.New("no NVIDIA driver is loaded; load it, pass the GPUs into the container, " +
		"or use --engine cpu")
)

// toGPUProgram executes the GPU program in this process if the engine is gpu or auto. It returns only if that is not
// possible, with the reason. Under a launcher each process calls it before it joins the others.
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

// gpuEnvironment returns the environment of a GPU program with that number of ranks in its process. Kernels of several
// ranks wait for each other: each rank needs its own hardware queue, and kernels must be loaded early, because loading
// waits for the device. CUDA reads both variables before main. The user's values stay.
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

// gpuProgram returns the path of the GPU program, and checks that it can run here.
func gpuProgram() (string, error) {
	program, err := besideThis(gpuProgramName)
	if err != nil {
		return "", errNoGPUProgram
	}
	if !driverLoaded() {
		return "", errNoDriver
	}
	printed, err := exec.Command(program, "version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the GPU program %s cannot run here: %w: %s", program, err, bytes.TrimSpace(printed))
	}
	return program, nil
}

// besideThis returns the path of another program in the folder of this program.
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

// driverLoaded looks for the files of the NVIDIA driver or, in a container, for its device and library.
func driverLoaded() bool {
	exists := func(pattern string) bool {
		found, _ := filepath.Glob(pattern)
		return len(found) > 0
	}
	return exists("/proc/driver/nvidia/version") ||
		exists("/dev/nvidia0") && (exists("/usr/lib*/libcuda.so.1") || exists("/usr/lib/*/libcuda.so.1"))
}

// gpuLinks is implemented by the GPU program only.
func gpuLinks(comm.Transport, string, int64) (gpuTransport, error) {
	return nil, onAllRanks(errNoGPUProgram)
}

// gpuPaths is implemented by the GPU program only.
func gpuPaths(comm.Transport) (paths, busID string, err error) {
	return "", "", onAllRanks(errNoGPUProgram)
}

// gpuBuild names the GPU program, if it was built.
func gpuBuild() string {
	if program, err := besideThis(gpuProgramName); err == nil {
		return "GPU engine in " + program
	}
	return "no GPU engine (build with make CUDA=1)"
}

// gpuKernels identifies the kernels of this program, which has none.
func gpuKernels() string { return "" }

// gpus returns the GPU program's description of the GPUs, in lines.
func gpus() []string {
	program, err := gpuProgram()
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
	program, err := gpuProgram()
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
	program, err := gpuProgram()
	if err != nil {
		return nil, err
	}
	printed, err := exec.Command(program, "doctor", "--"+gpusApartFlag).Output()
	return strings.Fields(string(printed)), err
}

// Only the GPU program implements gpuLab, gpuColorer and gpuPages.
func gpuLab(comm.Transport, func() time.Duration) ([]lab.Machine, error) { return nil, errNoGPUProgram }

func gpuColorer(func() time.Duration) (color.Machine, error) { return nil, errNoGPUProgram }

func gpuPages() (pages.Machine, error) { return nil, errNoGPUProgram }
