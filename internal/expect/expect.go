// SPDX-License-Identifier: Apache-2.0

// Package expect has the checks and the files that tests of all packages share.
//
// The last arguments of a check, if there are any, name its case in the message of a failure.
package expect

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// Updating reports whether the flag -update is given.
func Updating() bool { return *update }

// of returns the name of a case with a colon, "" if it has none.
func of(names []any) string {
	if len(names) == 0 {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintln(names...), "\n") + ": "
}

// NoError ends the test if a call has failed.
func NoError(t testing.TB, err error, names ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s%v", of(names), err)
	}
}

// Value returns the first result of a call with two, in a function that ends the test if the call has failed:
// expect.Value(os.ReadFile(path))(t).
func Value[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		NoError(t, err)
		return value
	}
}

// Err returns the error of a call with two results.
func Err[T any](_ T, err error) error { return err }

// Error checks that an error has a text; "" means that there is no error.
func Error(t testing.TB, err error, want string, names ...any) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%sthe error is %v, want %q", of(names), err, want)
	}
}

// Equal checks that two values are deeply equal.
func Equal[T any](t testing.TB, got, want T, names ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%sgot %+v, want %+v", of(names), got, want)
	}
}

// That checks a condition. The text, in the form of fmt.Printf, describes its failure.
func That(t testing.TB, holds bool, format string, args ...any) {
	if !holds {
		t.Helper()
		t.Errorf(format, args...)
	}
}

// Must ends the test unless a condition holds. The text is as in That.
func Must(t testing.TB, holds bool, format string, args ...any) {
	if !holds {
		t.Helper()
		t.Fatalf(format, args...)
	}
}

// SkipIf ends the test as skipped if a condition holds.
func SkipIf(t testing.TB, condition bool, reason string) {
	if condition {
		t.Helper()
		t.Skip(reason)
	}
}

// Set sets a variable until the test ends.
func Set[T any](t testing.TB, variable *T, value T) {
	was := *variable
	*variable = value
	t.Cleanup(func() { *variable = was })
}

// Contains checks that a text has all parts.
func Contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// Write writes a file, and the folders above it.
func Write[T ~string | ~[]byte](t testing.TB, path string, text T) {
	t.Helper()
	NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// File writes a file into a new folder and returns its path.
func File(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	Write(t, path, text)
	return path
}

// Pipe returns a named pipe with a writer that writes the texts, without a text one without a writer.
func Pipe(t testing.TB, texts ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, text := range texts {
		go func() { _ = os.WriteFile(path, []byte(text), 0) }()
	}
	return path
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	return string(Value(os.ReadFile(path))(t))
}

// JSON reads the JSON files that match a pattern, of which there must be least, and yields their paths and values.
func JSON[T any](t testing.TB, pattern string, least int) iter.Seq2[string, T] {
	t.Helper()
	files := Value(filepath.Glob(pattern))(t)
	Must(t, len(files) >= least, "%s: found %d files, want at least %d", pattern, len(files), least)
	return func(yield func(string, T) bool) {
		for _, file := range files {
			var value T
			NoError(t, json.Unmarshal([]byte(Read(t, file)), &value), file)
			if !yield(file, value) {
				return
			}
		}
	}
}

// Written returns the text that a function writes.
func Written(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var text strings.Builder
	NoError(t, write(&text))
	return text.String()
}

// Golden checks that a file has a text. The flag -update rewrites the file.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		Write(t, path, got)
	}
	want, line := Read(t, path), 1
	for i := 0; got != want; i++ {
		if i == min(len(got), len(want)) || got[i] != want[i] {
			t.Fatalf("%s, line %d: got\n%.200s\nwant\n%.200s", path, line, got[i:], want[i:])
		}
		if got[i] == '\n' {
			line++
		}
	}
}
