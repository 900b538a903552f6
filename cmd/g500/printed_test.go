package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/cmd/cli/clitest"
)

func TestLostOutputIsAFailure(t *testing.T) {
	tested.FailsIfOutputIsLost(t,
		"", "--help", "help run", "run --help", "--version", "version", "doctor --gpus", "doctor --preset", "doctor --json",
		"graph specs", "graph info grid2d:3x3", "completion bash",
		"run --print-config", "run --scale 3 --quiet", "run --scale 3 --quiet --json", "net --repeats 1 --sizes 8",
	)
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
		run := func(left int) (int, *clitest.ShortWriter) {
			w := &clitest.ShortWriter{Left: left}
			return g500([]string{"run", "--scale", "4", mode}, w, new(bytes.Buffer)), w
		}
		status, whole := run(1 << 20)
		if status != success {
			t.Fatalf("%s: status %d\n%s", mode, status, &whole.Text)
		}
		for _, left := range []int{0, 100, 300} {
			if status, w := run(left); status != failure || strings.Contains(w.Text.String(), "\nVALID") {
				t.Errorf("%s, %d bytes: status %d\n%s", mode, left, status, &w.Text)
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
