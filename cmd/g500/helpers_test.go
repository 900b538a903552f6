package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"g500/cmd/cli/clitest"
	"g500/internal/machine"
	"g500/record"
)

// TestMain runs the tests or, in a process that a test started by program, g500.
func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_QUIET")); err == nil {
		quiet = d
	}
	clitest.Update = update
	clitest.Main(main)
	os.Unsetenv("GOMAXPROCS")
	os.Unsetenv("OMP_NUM_THREADS")
	causesOfLowRate = func(machine.Load) []machine.Diagnosis { return nil } // outputs do not depend on this machine
	os.Exit(m.Run())
}

// program returns a command that runs g500 in another process.
func program(args ...string) *exec.Cmd { return asG500(exec.Command(os.Args[0], args...)) }

// asG500 lets this test program be g500 in the processes of a command.
func asG500(c *exec.Cmd) *exec.Cmd {
	c.Env = append(c.Environ(), clitest.AsProgram)
	return c
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

// write writes a file in a new folder and returns its path.
func write[T string | []byte](t *testing.T, content T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	writeText(t, path, content)
	return path
}

// words returns 64-bit numbers in the format of files.
func words(numbers ...int64) []byte {
	var b []byte
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// readRun reads the run stored in a folder.
func readRun(dir string) (*record.Run, error) {
	text, err := record.Stored(dir)
	if err != nil {
		return nil, err
	}
	return record.Parse(text)
}
