package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"g500/cmd/cli/clitest"
	"g500/internal/machine"
	"g500/record"
)

// TestMain runs the tests or, in a process that was started as such, a program.
func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_QUIET")); err == nil {
		quiet = d
	}
	if filepath.Base(os.Args[0]) != "g500" || os.Getenv(clitest.AnyMachine) != "" {
		causesOfLowRate = func(machine.Load) []machine.Diagnosis { return nil }
	}
	clitest.Update = update
	clitest.Main(m, map[string]func(){"g500": main, "interrupted": interrupted})
}

// tested is this program.
var tested = clitest.Program{New: thisProgram}

// call runs one command in this process; mustCall ends the test if it fails, and returns the output.
var call, mustCall, read = tested.Call, tested.MustCall, clitest.Read

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func writeText[T string | []byte](t *testing.T, path string, text T) {
	t.Helper()
	clitest.Write(t, path, text)
}

// readRun reads the run stored in a folder.
func readRun(dir string) (*record.Run, error) {
	text, err := record.Stored(dir)
	if err != nil {
		return nil, err
	}
	return record.Parse(text)
}
