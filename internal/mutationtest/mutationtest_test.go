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
	"time"

	"g500/internal/expect"
)

const root = "../.."

// Each mutant's text occurs once in its file, the result is Go, and its tests exist.
func TestMutantsApply(t *testing.T) {
	all, err := read(filepath.Join(root, "tools/mutants"))
	if err != nil || len(all) < 120 {
		t.Fatalf("%d mutants: %v", len(all), err)
	}
	texts := expect.Value(apply(root, all))(t)
	for path, text := range texts {
		if _, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution); err != nil &&
			strings.HasSuffix(path, ".go") {
			t.Error(err)
		}
	}
	for _, m := range all {
		if m.Breaks == "" || len(m.Tests) == 0 {
			t.Errorf("mutant %d: it has no description, or no tests", m.Number)
		}
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

// A mutant whose text was moved, or has no switch, is named by its number; two of one number are refused.
func TestMutantsThatDoNotApply(t *testing.T) {
	dir := t.TempDir()
	source, list := "package a\n\nvar x, y = 1, 1\n", "[[mutant]]\nnumber = 7\n"
	for name, text := range map[string]string{"a.go": source, "one.toml": list, "two.toml": list} {
		expect.Write(t, filepath.Join(dir, name), text)
	}
	for _, c := range []struct {
		mutant mutant
		want   string
	}{
		{mutant{Number: 12, File: "a.go", Old: "z = 1", New: "mut.Is(N)"},
			"mutant 12: its text is no longer in a.go once, but 0 times"},
		{mutant{Number: 13, File: "a.go", Old: "1", New: "mut.Is(N)"}, "mutant 13: its text is no longer in a.go once"},
		{mutant{Number: 14, File: "b.go", Old: "1", New: "mut.Is(N)"}, "mutant 14: open"},
		{mutant{Number: 15, File: "a.go", Old: "x,", New: "y,"}, "mutant 15: its new text has no switch"},
	} {
		expect.Error(t, expect.Err(apply(dir, []mutant{c.mutant})), c.want)
	}
	texts, err := apply(dir, []mutant{{Number: 16, File: "a.go", Old: "x, y", New: "x, z" + "/* mut.If(N, */"}})
	if want := "package a\n\nimport \"g500/internal/mut\"\n\nvar x, z/* mut.If(16, */ = 1, 1\n"; err != nil ||
		texts["a.go"] != want {
		t.Errorf("%q (%v), want %q", texts["a.go"], err, want)
	}
	expect.Error(t, expect.Err(read(dir)), "two mutants 7: the next free number is 8", "two mutants with one number")
}

// The tests decide the verdict; a time-out and a program that does not start are verdicts of their own.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		script string
		want   verdict
		by     string
	}{
		{"exit 0", survived, ""},
		{"test $MUT != 5", noticed, "exit status 1"},
		{"echo ' --- FAIL: TestA (0.00s)'; exit 1", noticed, "TestA"},
		{"echo 'panic: index out of range' >&2; exit 2", noticed, "panic: index out of range"},
		{"sleep 60 & wait", timedOut, "a"},
	} {
		s := suite{name: "a", folder: t.TempDir(), command: []string{"sh", "-c", c.script}, limit: 30 * time.Second}
		if c.want == timedOut {
			s.limit = 50 * time.Millisecond
		}
		if v, by := s.run(5); v != c.want || !strings.HasSuffix(by, c.by) {
			t.Errorf("%s: %s by %q, want %s by %q", c.script, v, by, c.want, c.by)
		}
	}
	s := suite{folder: t.TempDir(), command: []string{"./missing"}, limit: time.Second}
	if v, by := s.run(0); v != noStart || !strings.Contains(by, "missing") {
		t.Errorf("a missing program: %s, %s", v, by)
	}
}

// A mutant must be noticed by one of its suites; one that is listed to survive must not.
func TestRowsOfVerdicts(t *testing.T) {
	suites := map[string]*suite{}
	for name, script := range map[string]string{"passes": "exit 0", "fails": "exit 1"} {
		suites[name] = &suite{name: name, folder: t.TempDir(), command: []string{"sh", "-c", script}, limit: time.Minute}
	}
	for _, c := range []struct {
		mutant mutant
		faults int
	}{
		{mutant{Tests: []string{"passes", "fails"}}, 0},
		{mutant{Tests: []string{"passes"}}, 1},
		{mutant{Tests: []string{"passes"}, Survives: "speed only"}, 0},
		{mutant{Tests: []string{"fails"}, Survives: "speed only"}, 1},
	} {
		if rows, faults := tryAll([]mutant{c.mutant}, suites); faults != c.faults || len(rows) != 1 {
			t.Errorf("%+v: %d faults, want %d: %v", c.mutant, faults, c.faults, rows)
		}
	}
}
