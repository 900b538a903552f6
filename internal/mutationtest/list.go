// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"g500/internal/tomlfile"
)

// mutant is a change of one source file that breaks a rule, and that tests must notice.
type mutant struct {
	Number   int      `toml:"number"`
	File     string   `toml:"file"`
	Breaks   string   `toml:"breaks"`
	Tests    []string `toml:"tests"`    // packages with a regular expression of tests, or commands of the emulator
	Survives string   `toml:"survives"` // why no test can notice the change, "" if one must
	Old      string   `toml:"old"`      // text that occurs once in File
	New      string   `toml:"new"`      // text in its place, which mut.Is(N) or mut.If(N, changed, unchanged) switches
}

// read returns all mutants of a folder, by number.
func read(folder string) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var file struct {
			Mutants []mutant `toml:"mutant"`
		}
		if err := tomlfile.Decode(path, string(text), &file, "a mutant has the settings of its neighbours"); err != nil {
			return nil, err
		}
		all = append(all, file.Mutants...)
	}
	slices.SortFunc(all, func(a, b mutant) int { return a.Number - b.Number })
	for i, m := range all {
		if i > 0 && m.Number == all[i-1].Number {
			return nil, fmt.Errorf("there are two mutants %d: the next free number is %d", m.Number, all[len(all)-1].Number+1)
		}
	}
	return all, nil
}

// isCUDA reports whether the emulator compiles the mutant's file.
func (m mutant) isCUDA() bool {
	return strings.HasPrefix(m.File, "cuda/") && !strings.HasSuffix(m.File, ".go")
}

// switched returns the new text with the mutant's number.
func (m mutant) switched() string {
	n := fmt.Sprint(m.Number)
	return strings.NewReplacer("mut.Is(N)", "mut.Is("+n+")", "mut.If(N,", "mut.If("+n+",",
		"MUT(N)", "MUT("+n+")").Replace(m.New)
}

// packageClause matches the package clause of a Go file.
var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

// apply returns the text of each file below root that mutants change, with all of them, each behind its switch. The
// error names each mutant whose text does not occur once.
func apply(root string, mutants []mutant) (map[string]string, error) {
	texts, lost := map[string]string{}, []error(nil)
	for _, m := range mutants {
		text, begun := texts[m.File]
		if !begun {
			read, err := os.ReadFile(filepath.Join(root, m.File))
			if err != nil {
				lost = append(lost, fmt.Errorf("mutant %d: %w", m.Number, err))
				continue
			}
			text = string(read)
			if at := packageClause.FindStringIndex(text); at != nil && !m.isCUDA() {
				text = text[:at[1]] + "\n\nimport \"g500/internal/mut\"" + text[at[1]:]
			}
		}
		if n := strings.Count(text, m.Old); n != 1 {
			lost = append(lost, fmt.Errorf("mutant %d: its text is no longer in %s once, but %d times: renew it in "+
				"tools/mutants under the same number", m.Number, m.File, n))
		}
		if m.switched() == m.New {
			lost = append(lost, fmt.Errorf("mutant %d: its new text has no switch, such as mut.Is(N)", m.Number))
		}
		texts[m.File] = strings.Replace(text, m.Old, m.switched(), 1)
	}
	return texts, errors.Join(lost...)
}

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
