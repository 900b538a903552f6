// SPDX-License-Identifier: Apache-2.0

package clitest

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/cmd/cli"
	"g500/internal/infile"
)

// OddFiles makes files that are not small texts, by the word that names each in an error; a binary file has none.
var OddFiles = map[string]func(path string) error{
	"a pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"a device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
	"bytes": func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
	},
	"": func(path string) error {
		return os.WriteFile(path, []byte("\x7fELF\x02\x1b]0;pwn\a\x00\xff\xfe = [\u202e\n\n{\"a\x9b"), 0o600)
	},
}

// WordsOfGo are words of errors of Go's packages that users do not know.
var WordsOfGo = regexp.MustCompile(
	`json: cannot|toml: line|strconv|unmarshal|Go struct|invalid character|invalid syntax|EOF|panic`)

// announced matches the lines of a run before its error.
var announced = regexp.MustCompile(`(?m)^(memory|note|process|nodes|the run stores|strong scaling|weak scaling).*\n`)

// CallIn is Call with a limit on its time, against hangs.
func (p Program) CallIn(t *testing.T, args ...string) (status int, out, errOut string) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		status, out, errOut = p.Call(args...)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%q hangs", args)
	}
	return status, out, errOut
}

// NamesOddFiles checks that every command that reads a small file names a file of another kind in one sentence. rows
// has a command per line. DIR/x is the file; the file of commands with =>, which is in a folder DIR, has the name after
// it.
func (p Program) NamesOddFiles(t *testing.T, rows string) {
	t.Helper()
	for row := range strings.SplitSeq(rows, "\n") {
		for kind, create := range OddFiles {
			if kind == "a pipe" && strings.Contains(row, "roots") {
				continue // which may be a pipe
			}
			command, name, _ := strings.Cut(row, " => ")
			if name == "" {
				name = "x"
			}
			dir := t.TempDir()
			if err := create(filepath.Join(dir, name)); err != nil {
				t.Skip(err)
			}
			status, out, errOut := p.CallIn(t, strings.Fields(strings.ReplaceAll(command, "DIR", dir))...)
			errOut = announced.ReplaceAllString(errOut, "")
			named := strings.Contains(errOut, kind) || strings.Contains(errOut, "longer than any file of roots")
			if status == cli.Success || out != "" || strings.Count(errOut, "\n") != 1 || WordsOfGo.MatchString(errOut) ||
				!infile.IsClean(strings.TrimSpace(errOut)) || !named {
				t.Errorf("%s, %q: status %d, %q, %q", row, kind, status, out, errOut)
			}
		}
	}
}
