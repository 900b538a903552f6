package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// shortWriter stores that many bytes and then fails like a full disk.
type shortWriter struct {
	text bytes.Buffer
	left int
}

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	w.text.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// Every command whose standard output is lost fails with one error.
func TestLostOutputIsAFailure(t *testing.T) {
	for _, args := range []string{
		"", "--help", "help run", "run --help", "--version", "version", "doctor --gpus", "doctor --preset", "doctor --json",
		"graph specs", "graph info grid2d:3x3", "lab", "lab bfs --list", "model --print-machine", "completion bash",
		"run --print-config", "run --scale 3 --quiet", "run --scale 3 --quiet --json", "net --repeats 1 --sizes 8",
	} {
		for _, left := range []int{0, 5} {
			var errOut bytes.Buffer
			status := g500(strings.Fields(args), &shortWriter{left: left}, &errOut)
			text := errOut.String()
			if status != failure || strings.Count(text, "g500: ") != 1 ||
				!strings.Contains(text, "standard output cannot be written (no space left on device)") {
				t.Errorf("g500 %s, %d bytes written: status %d, %q", args, left, status, text)
			}
		}
	}
}

func TestVersionFlagPrintsTheVersion(t *testing.T) {
	_, want, _ := call("version")
	if status, out, errOut := call("--version"); status != success || out != want || errOut != "" {
		t.Errorf("status %d, %q, %q, want %q", status, out, errOut, want)
	}
}
