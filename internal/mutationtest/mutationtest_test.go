// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

const root = "../.."

// Each mutant's text occurs once in its file, the result is Go, and its tests exist.
func TestMutantsApply(t *testing.T) {
	all, err := read(filepath.Join(root, "tools/mutants"))
	expect.Must(t, err == nil && len(all) >= 120, "%d mutants: %v", len(all), err)
	for path, text := range expect.Value(apply(root, all))(t) {
		_, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		expect.That(t, err == nil || !strings.HasSuffix(path, ".go"), "%v", err)
	}
	for _, m := range all {
		expect.That(t, m.Breaks != "" && len(m.Tests) != 0, "mutant %d: it has no description, or no tests", m.Number)
		for _, name := range m.Tests {
			expect.NoError(t, m.lacks(name), "mutant", m.Number)
		}
	}
}

// lacks returns an error unless the tests with this name exist: a package and perhaps one of its tests with a part of
// it, or a command of the emulator.
func (m mutant) lacks(name string) error {
	words := strings.Fields(name)
	if m.isCUDA() != !strings.HasPrefix(words[0], "./") {
		return fmt.Errorf("%s is no package with a test, such as ./bench TestTimed, and no command of the emulator", name)
	}
	if m.isCUDA() {
		return nil
	}
	test, _, _ := strings.Cut(words[len(words)-1], "/")
	files, err := filepath.Glob(filepath.Join(root, words[0], "*_test.go"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if len(words) == 1 || strings.Contains(string(text), "\nfunc "+test+"(") {
			return err
		}
	}
	return fmt.Errorf("there are no tests %s", name)
}
