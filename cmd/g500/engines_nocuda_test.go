//go:build !cuda || !cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/settings"
)

func TestGPUEngineIsAnotherProgram(t *testing.T) {
	status, out, errOut := call("run", "--scale", "4", "--engine", "gpu")
	if status != misuse || out != "" || !strings.Contains(errOut, "make CUDA=1") {
		t.Errorf("status %d: %s%s", status, out, errOut)
	}
}

func TestAutoStaysWithoutGPU(t *testing.T) {
	status, _, errOut := call("run", "--scale", "4")
	if status != success || strings.Contains(errOut, "CUDA") {
		t.Errorf("status %d: %s", status, errOut)
	}
}

func TestEnvironmentOfRanksOfAProcess(t *testing.T) {
	const queues, loading = "CUDA_DEVICE_MAX_CONNECTIONS=", "CUDA_MODULE_LOADING="
	for _, c := range []struct {
		given []string
		ranks int
		want  string
	}{
		{[]string{"A=1"}, 1, "A=1"},
		{[]string{"A=1"}, 2, "A=1 " + queues + "32 " + loading + "EAGER"},
		{[]string{queues + "4", loading + "LAZY"}, 12, queues + "4 " + loading + "LAZY"},
	} {
		if got := strings.Join(gpuEnvironment(c.given, c.ranks), " "); got != c.want {
			t.Errorf("%d ranks, %v: %s, want %s", c.ranks, c.given, got, c.want)
		}
	}
}

// The GPU program is started only if there is a driver, because it cannot print an error without one.
func TestProgramWithoutDriver(t *testing.T) {
	if driverLoaded() {
		t.Skip("this machine has an NVIDIA driver")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(filepath.Dir(self), gpuProgramName)
	writeText(t, beside, "#!/bin/sh\necho started\n")
	defer os.Remove(beside)
	if _, err := exec.LookPath(beside); err != nil {
		t.Fatal(err)
	}
	for engine, want := range map[string]error{"auto": errNoDriver, "gpu": errNoDriver, "cpu": nil, "topdown": nil} {
		cfg := settings.Default()
		cfg.Search.Engine = engine
		if err := toGPUProgram(cfg); err != want {
			t.Errorf("%s: %v, want %v", engine, err, want)
		}
	}
	if lines := gpus(); len(lines) != 1 || lines[0] != errNoDriver.Error() {
		t.Errorf("doctor prints %q", lines)
	}
}
