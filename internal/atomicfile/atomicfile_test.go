// SPDX-License-Identifier: Apache-2.0

package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"g500/internal/expect"
)

// A file is replaced when the new one is complete. A failed write keeps the old file and leaves no other.
func TestWriteReplacesCompletely(t *testing.T) {
	for name, write := range map[string]func(string, func(io.Writer) error) error{
		"synced": Write, "unsynced": WriteUnsynced,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		failure := errors.New("full")
		for i, c := range []struct {
			text string
			err  error
			want string
		}{{"first", nil, "first"}, {"second", nil, "second"}, {"part", failure, "second"}} {
			err := write(path, func(w io.Writer) error {
				old, err := os.ReadFile(path)
				expect.That(t, i == 0 || err == nil && len(old) > 0, "%s: the old file while the new one is written: %v", name, err)
				io.WriteString(w, c.text)
				return c.err
			})
			got, _ := os.ReadFile(path)
			entries, _ := os.ReadDir(dir)
			expect.That(t, errors.Is(err, c.err) && string(got) == c.want && len(entries) == 1,
				"%s: %v, the file has %q of %q, among %v", name, err, got, c.want, entries)
		}
	}
}

// A file that cannot take its place is removed.
func TestFailedReplacementLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	expect.NoError(t, os.MkdirAll(filepath.Join(path, "b"), 0o755))
	err := Write(path, func(io.Writer) error { return nil })
	entries, _ := os.ReadDir(dir)
	expect.That(t, err != nil && len(entries) == 1, "%v: a folder is replaced, or the new file stays: %v", err, entries)
}
