package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
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
		"graph specs", "graph info grid2d:3x3", "lab", "lab bfs --list", "completion bash",
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

// A run that cannot write its last file does not print VALID. Later --resume writes only the file, and the run can be
// submitted.
func TestResumeWritesTheLastFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	blocked := filepath.Join(dir, "official.txt.new") // a folder with the name of the file
	if err := os.MkdirAll(blocked, 0o755); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := call("run", "--scale", "9", "--output", dir)
	if last := lastLine(out); status != failure || !strings.HasPrefix(last, "INVALID: ") ||
		!strings.Contains(last, "official.txt") || !strings.Contains(last, " run --resume "+dir) {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	status, out, errOut = call("run", "--resume", dir)
	if status != success || lastLine(out) != "VALID" || !strings.Contains(errOut, "only its last files are written") ||
		strings.Contains(errOut, "kernel 1") {
		t.Errorf("resumed: status %d\n%s%s", status, out, errOut)
	}
	if status, out, errOut = call("submission", dir); status != success {
		t.Errorf("submission: status %d\n%s%s", status, out, errOut)
	}
}

// A run fails if its output is incomplete, at whatever byte.
func TestRunThatCannotPrintItsResultFails(t *testing.T) {
	for _, mode := range []string{"--quiet=false", "--quiet", "--json"} {
		run := func(left int) (int, *shortWriter) {
			w := &shortWriter{left: left}
			return g500([]string{"run", "--scale", "4", mode}, w, new(bytes.Buffer)), w
		}
		status, whole := run(1 << 20)
		if status != success {
			t.Fatalf("%s: status %d\n%s", mode, status, &whole.text)
		}
		for _, left := range []int{0, 100, 300} {
			if status, w := run(left); status != failure || strings.Contains(w.text.String(), "\nVALID") {
				t.Errorf("%s, %d bytes: status %d\n%s", mode, left, status, &w.text)
			}
		}
	}
}

// An error that resuming would repeat prints no advice to resume, and 64 keys of two kernels count as 64.
func TestNoAdviceToResumeAfterALastingError(t *testing.T) {
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	call("run", "--scale", "9", "--kernel", "both", "--output", whole)
	copyCut(t, whole, cut, 64)
	list := filepath.Join(cut, "searches.jsonl")
	text := read(t, list)
	at := strings.Index(text, `"root":`) + len(`"root":`)
	end := at + strings.IndexByte(text[at:], ',')
	text = text[:at] + "1" + text[end:]
	writeText(t, list, text)
	status, out, errOut := call("run", "--resume", cut)
	if status != failure || !strings.Contains(errOut, "of the run to resume has root 1") ||
		strings.Contains(out+errOut, "to resume the run") || strings.Contains(out+errOut, "of 128") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}
