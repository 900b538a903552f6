package bench

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// pipeOf is a named pipe with a writer that writes a text once.
func pipeOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile(path, []byte(text), 0) }()
	return path
}
