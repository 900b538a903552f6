// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"g500/internal/expect"
)

// pipeOf returns a named pipe to which a text is written once.
func pipeOf(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile(path, text, 0) }()
	return path
}

// A graph read once from a pipe equals the graph of the file, compressed or not.
func TestGraphsFromPipes(t *testing.T) {
	for _, name := range []string{"c.mtx", "c.mtx.gz", "c.mtx.bz2", "c.mtx.xz", "c.mtx.zst", "Made.tar.gz",
		"d9-ok.gr", "m-1.graph", "snap-crlf.txt"} {
		path := filepath.Join("testdata/cases", name)
		text := expect.Value(os.ReadFile(path))(t)
		options := ""
		if strings.HasSuffix(name, ".graph") { // the content does not name this format
			options = ",format=metis"
		}
		want, got := made(t, "file:"+path), made(t, "file:"+pipeOf(t, text)+options)
		if !same(got, want) {
			t.Errorf("%s: %d edges, want %d", name, got.Edges(), want.Edges())
		}
		if !got.Source.Pipe || want.Source.Pipe || got.Source.Fingerprint != want.Source.Fingerprint ||
			got.Source.Fingerprint.Bytes != int64(len(text)) {
			t.Errorf("%s: source %+v, want as %+v", name, got.Source, want.Source)
		}
	}
	refused(t, "file:"+pipeOf(t, nil), "is empty")
}

// An interruption ends waiting for a pipe.
func TestInterruptedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	writer := expect.Value(os.OpenFile(path, os.O_RDWR, 0))(t)
	defer writer.Close()
	expect.NoError(t, expect.Err(writer.WriteString(strings.Repeat("0 1\n", 3000))))
	cancel(stop)
	_, err := mustParse(t, "file:"+path+",format=snap").Make(ctx, 1, 0)
	if !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}
