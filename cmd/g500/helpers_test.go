package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"g500/internal/machine"
	"g500/record"
)

// TestMain runs the tests or, in a process that a test started by program, g500.
func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_GRACE")); err == nil {
		grace = d
	}
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_QUIET")); err == nil {
		quiet = d
	}
	if os.Getenv("G500_TEST_AS_PROGRAM") != "" {
		version = cmp.Or(os.Getenv("G500_TEST_VERSION"), version)
		main()
	}
	os.Unsetenv("GOMAXPROCS")
	os.Unsetenv("OMP_NUM_THREADS")
	causesOfLowRate = func(machine.Load) []machine.Diagnosis { return nil } // outputs do not depend on this machine
	os.Exit(m.Run())
}

// program returns a command that runs g500 in another process.
func program(args ...string) *exec.Cmd { return asG500(exec.Command(os.Args[0], args...)) }

// asG500 lets this test program be g500 in the processes of a command.
func asG500(c *exec.Cmd) *exec.Cmd {
	c.Env = append(c.Environ(), "G500_TEST_AS_PROGRAM=1")
	return c
}

// call runs one command in this process.
func call(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = g500(args, &o, &e)
	return status, o.String(), e.String()
}

// mustCall runs one command in this process and returns its output. The test ends if it fails.
func mustCall(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errOut := call(args...)
	if status != success {
		t.Fatalf("%q: status %d\n%s%s", args, status, out, errOut)
	}
	return out
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeText[T string | []byte](t *testing.T, path string, text T) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil { // some files are programs
		t.Fatal(err)
	}
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
