// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// built is the folder of all changed files and test programs. Go ignores folders with names that begin with "_".
const built = "build/_mutants"

// switches is the package g500/internal/mut, which exists in the overlay only. The environment variable MUT has the
// number of the mutant that is on.
const switches = `package mut

import (
	"os"
	"strconv"
)

var on, _ = strconv.Atoi(os.Getenv("MUT"))

func Is(n int) bool { return n == on }

func If[T any](n int, changed, unchanged T) T {
	if n == on {
		return changed
	}
	return unchanged
}
`

// switchesCUDA is the same for sources that the emulator compiles.
const switchesCUDA = `#pragma once
#include <cstdlib>
inline const int mutant_on = std::getenv("MUT") ? std::atoi(std::getenv("MUT")) : 0;
#define MUT(n) (mutant_on == (n))
`

// overlay writes the changed Go files, and has every go command that this process starts use them.
func overlay(texts map[string]string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	texts["internal/mut/mut.go"] = switches
	replace := map[string]string{}
	for path, text := range texts {
		if !strings.HasSuffix(path, ".go") {
			continue
		}
		at := filepath.Join(root, built, "go", path)
		if err := write(at, text); err != nil {
			return err
		}
		replace[filepath.Join(root, path)] = at
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	at := filepath.Join(root, built, "overlay.json")
	if err := write(at, string(list)); err != nil {
		return err
	}
	return os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+at))
}

// emulatorNeeds are the files of the repository that the emulator's tests need.
var emulatorNeeds = []string{"cuda", "scripts", "policy", "lab/strategies.toml", "kronecker/testdata",
	"cmd/g500-lab/testdata"}

// emulate copies the emulator and its sources, with the changed ones, and compiles its tests.
func emulate(texts map[string]string) error {
	at := filepath.Join(built, "emulator")
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	for _, path := range emulatorNeeds {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(at, path)), 0o777); err != nil {
			return err
		}
		if err := command("cp", "-r", path, filepath.Join(at, path)).Run(); err != nil {
			return err
		}
	}
	runtime, err := os.ReadFile("cuda/emulator/cuda_runtime.h") // every source includes it
	if err != nil {
		return err
	}
	texts["cuda/emulator/cuda_runtime.h"] = "#include \"mut.h\"\n" + string(runtime)
	texts["cuda/emulator/mut.h"] = switchesCUDA
	for path, text := range texts {
		if strings.HasSuffix(path, ".go") {
			continue
		}
		if err := write(filepath.Join(at, path), text); err != nil {
			return err
		}
	}
	return command(filepath.Join(at, "scripts/test-emulated.sh"), "build").Run()
}

// testProgram compiles the tests of a package and returns the path of the program.
func testProgram(folder string) (string, error) {
	at := filepath.Join(built, strings.ReplaceAll(filepath.Clean(folder), "/", "-")+".test")
	if err := command("go", "test", "-c", "-vet=off", "-o", at, folder).Run(); err != nil {
		return "", fmt.Errorf("the tests of %s do not compile with the mutants: %w", folder, err)
	}
	return filepath.Abs(at)
}

// command returns a command that prints to this process's outputs.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}
