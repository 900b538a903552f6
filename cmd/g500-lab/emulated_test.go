// SPDX-License-Identifier: Apache-2.0

//go:build emulated

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// buildPlugins uses the program that scripts/test-emulated.sh has built, and returns the path of the plugin of
// testdata/faulty.cu.
func buildPlugins(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	expect.NoError(t, err)
	built, err := filepath.Abs("../../build/emulated/g500-lab-child-emulated")
	expect.NoError(t, err)
	relative, err := filepath.Rel(filepath.Dir(self), built)
	expect.NoError(t, err)
	kept := emulatedProgram.Name
	t.Cleanup(func() { emulatedProgram.Name = kept })
	emulatedProgram.Name = relative
	dir, cuda := t.TempDir(), expect.Value(filepath.Abs("../../cuda"))(t)
	for _, file := range []string{"testdata/faulty.cu", "../../cuda/lab/plugin/search.cu",
		"../../cuda/lab/plugin/g500_plugin.h"} {
		expect.Write(t, filepath.Join(dir, filepath.Base(file)), expect.Read(t, file))
	}
	makefile := filepath.Join(cuda, "lab/plugin/Makefile")
	out, err := exec.Command("make", "-C", dir, "-f", makefile, "CUDA="+cuda, "faulty-emulated.so").CombinedOutput()
	expect.NoError(t, err, string(out))
	return filepath.Join(dir, "faulty-emulated.so")
}

// A plugin that is right has a row; one that is wrong, crashes or never ends has a sentence. Other rows stay, also on
// the next graph.
func TestEmulatedPlugin(t *testing.T) {
	plugin := buildPlugins(t)
	command := "bfs --engine emulated --quiet --sources 3 --graph grid2d:9x5,kron:scale=6 --plugin-seconds 1 " +
		"--strategy toedling-queue,cpu --plugin " + plugin
	for fault, want := range map[string]string{
		"":               "before the clock starts, nothing  happens : faulty-emulated",
		"crash":          "WRONG: faulty-emulated, its process ended (signal: segmentation fault): run it in a debugger",
		"exit":           "WRONG: faulty-emulated, its process ended (",
		"endless":        "WRONG: faulty-emulated, it did not answer within 1s: mend it, or allow more by --plugin-seconds",
		"endless kernel": "WRONG: faulty-emulated, it did not answer within 1s: ",
		"refusal":        "WRONG: faulty-emulated, it returned -7",
		"old result":     "WRONG: faulty-emulated, source ",
		"wrong distance": "WRONG: faulty-emulated, source ",
		"wrong meaning":  "WRONG: faulty-emulated, source ",
	} {
		t.Setenv("FAULT", fault)
		status, out, errOut := tested.Call(strings.Fields(command)...)
		if rows := strings.Count(out, want); rows != 2 || (status == 0) != (fault == "") || errOut != "" {
			t.Errorf("%q: status %d, %d graphs with %q, in %s%s", fault, status, rows, want, out, errOut)
		}
		for _, row := range []string{"toedling-queue ", "cpu "} {
			expect.Equal(t, strings.Count(out, " "+row), 2, fault, row, out)
		}
	}
}

// Files that are no plugins are refused before any search.
func TestEmulatedPluginsAreChecked(t *testing.T) {
	plugin := buildPlugins(t)
	dir := t.TempDir()
	named := func(name, text string) string {
		path := filepath.Join(dir, name)
		expect.Write(t, path, text)
		return path
	}
	for path, want := range map[string]string{
		named("text.so", "text"):                   "cannot be used: ",
		named("libcpu.so", expect.Read(t, plugin)): "has the name of a strategy: rename the file",
		filepath.Join(dir, "none.so"):              "no such file",
		"/lib/x86_64-linux-gnu/libm.so.6":          "it has no function g500_plugin_search",
	} {
		status, _, errOut := tested.Call("bfs", "--engine", "emulated", "--graph", "grid2d:4x4", "--quiet", "--plugin", path)
		if status != 2 || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %s", path, status, errOut)
		}
	}
}
