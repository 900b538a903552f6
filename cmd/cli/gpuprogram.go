// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"g500/settings"
)

// GPUProgram is a program for GPUs. It is a second file in the folder of this program, because its library ends it
// before main on machines without a GPU.
type GPUProgram struct {
	Name string // of its file
	Make string // builds it
}

// ErrNoDriver is the reason why a GPU program cannot run on a machine without a GPU.
var ErrNoDriver = errors.New("no NVIDIA driver is loaded; load it, pass the GPUs into the container, " +
	"or use --engine cpu")

// Missing is the reason why there is no GPU program.
func (p GPUProgram) Missing() error {
	return fmt.Errorf("this build has no GPU engine: build it with %s", p.Make)
}

// Exec executes the GPU program in this process, for that number of ranks, if the engine is gpu or auto. It returns
// only if that is not possible, with the reason. The program keeps the name under which this one was started. Under a
// launcher each process calls it before it joins the others.
func (p GPUProgram) Exec(engine string, ranks int) error {
	if engine != settings.GPU && engine != "auto" {
		return nil
	}
	path, err := p.Find()
	if err != nil {
		return err
	}
	return syscall.Exec(path, os.Args, gpuEnvironment(os.Environ(), ranks))
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

// Find returns the path of the GPU program, and checks that it can run here.
func (p GPUProgram) Find() (string, error) {
	path, err := p.Path()
	if err != nil {
		return "", p.Missing()
	}
	if !DriverLoaded() {
		return "", ErrNoDriver
	}
	printed, err := exec.Command(path, "version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the GPU program %s cannot run here: %w: %s", path, err, bytes.TrimSpace(printed))
	}
	return path, nil
}

// Path returns the path of the GPU program in the folder of this program.
func (p GPUProgram) Path() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(filepath.Dir(self), p.Name))
}

// Built names the GPU program, if it was built.
func (p GPUProgram) Built() string {
	if path, err := p.Path(); err == nil {
		return "GPU engine in " + path
	}
	return fmt.Sprintf("no GPU engine (build with %s)", p.Make)
}

// DriverLoaded looks for files of the NVIDIA driver or, in a container, for its device and library. Tests replace it.
var DriverLoaded = func() bool {
	exists := func(pattern string) bool {
		found, _ := filepath.Glob(pattern)
		return len(found) > 0
	}
	return exists("/proc/driver/nvidia/version") ||
		exists("/dev/nvidia0") && (exists("/usr/lib*/libcuda.so.1") || exists("/usr/lib/*/libcuda.so.1"))
}
