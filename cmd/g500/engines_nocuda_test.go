// SPDX-License-Identifier: Apache-2.0

//go:build !cuda || !cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli"
	"g500/internal/expect"
	"g500/settings"
)

func TestGPUEngineIsAnotherProgram(t *testing.T) {
	status, out, errOut := call("run", "--scale", "4", "--engine", "gpu")
	expect.That(t, status == misuse && out == "" && strings.Contains(errOut, "make CUDA=1"),
		"status %d: %s%s", status, out, errOut)
	study := filepath.Join(t.TempDir(), "study.toml")
	for _, text := range []string{
		"gpus = [1, 2]\n",
		"ranks = [1, 2]\nflags = [\"--engine\", \"gpu\"]\n",
		"gpus = [1, 2]\nlaunch = [\"sh\", \"{ranks}\"]\n",
	} {
		expect.Write(t, study, "scaling = \"strong\"\nscales = [4]\n"+text)
		dir := filepath.Join(filepath.Dir(study), "runs")
		status, _, errOut := call("scale", study, "--output", dir)
		expect.That(t, status == misuse && strings.Contains(errOut, "make CUDA=1"), "%s: status %d: %s", text, status, errOut)
		status, _, errOut = call("scale", study, "--output", dir, "--plan")
		expect.That(t, status == success && strings.Contains(errOut, "note: will fail here: this build has no GPU engine"),
			"%s: status %d: %s", text, status, errOut)
	}
}

// The GPU program is started only if there is a driver, because it cannot print an error without one.
func TestProgramWithoutDriver(t *testing.T) {
	if _, err := os.Stat("/dev/nvidia0"); err == nil {
		t.Skip("this machine has an NVIDIA driver")
	}
	beside := filepath.Join(filepath.Dir(expect.Value(os.Executable())(t)), gpuProgram.Name)
	expect.NoError(t, os.WriteFile(beside, []byte("#!/bin/sh\necho started\n"), 0o755))
	defer os.Remove(beside)
	expect.NoError(t, expect.Err(exec.LookPath(beside)))
	none := cli.ErrNoDriver
	for engine, want := range map[string]error{"auto": none, "gpu": none, "cpu": nil, "topdown": nil} {
		cfg := settings.Default()
		cfg.Search.Engine = engine
		expect.Equal(t, toGPUProgram(cfg), want, engine)
	}
	lines := gpus().Lines
	expect.That(t, len(lines) == 1 && lines[0] == cli.ErrNoDriver.Error(), "doctor prints %q", lines)
}

// The GPU program, for which a shell stands in, is started under the name of this program, with its arguments: names of
// the reference code decide what they mean.
func TestGPUProgramKeepsTheName(t *testing.T) {
	self := expect.Value(os.Executable())(t)
	shell := filepath.Join(filepath.Dir(self), gpuProgram.Name)
	expect.NoError(t, os.Symlink("/bin/sh", shell))
	defer os.Remove(shell)
	started := exec.Command(self, "10", "16")
	started.Args[0], started.Dir = "graph500_reference_bfs", t.TempDir()
	started.Env = append(os.Environ(), "G500_TEST_DRIVER=1")
	expect.Write(t, filepath.Join(started.Dir, "version"), "")
	expect.Write(t, filepath.Join(started.Dir, "10"), `tr '\0' ' ' </proc/$$/cmdline`)
	expect.Equal(t, string(expect.Value(started.CombinedOutput())(t)), "graph500_reference_bfs 10 16 ", "started as")
}
