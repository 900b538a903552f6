package main

import (
	"bytes"
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
