package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"g500/cmd/cli"
)

func TestRunPrintsTheOfficialBlockAndValid(t *testing.T) {
	for _, ranks := range []string{"1", "3"} {
		status, out, errOut := call("run", "--config", "../../configs/tiny.toml", "--ranks", ranks)
		if status != success || lastLine(out) != "VALID" {
			t.Fatalf("status %d, last line %q\n%s", status, lastLine(out), errOut)
		}
		for _, line := range []string{
			"SCALE:                          14\n",
			"NBFS:                           64\n",
			"num_mpi_processes:              " + ranks + "\n",
			"min_nedge:                      261818\n", // golden file of scale 14
			"bfs  harmonic_mean_TEPS:     !  ",
		} {
			if !strings.Contains(out, line) {
				t.Errorf("%s ranks: no line %q in\n%s", ranks, line, out)
			}
		}
	}
}

func TestFlagsOverrideTheFile(t *testing.T) {
	status, out, errOut := call("run", "--config", "../../configs/tiny.toml", "--scale", "7", "--seeds", "1,1",
		"--keys", "3", "--names", "spec", "--engine", "topdown")
	if status != success || !strings.Contains(out, "SCALE: ") || !strings.Contains(out, "bfs_harmonic_mean_TEPS") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if !strings.Contains(out, "n = 3") {
		t.Errorf("--keys 3 did not count:\n%s", out)
	}
}

func TestGenerateWritesTheOfficialEdgeList(t *testing.T) {
	text := read(t, "../../kronecker/testdata/s10_ef16_seed1_1.json")
	var golden struct {
		Packed string `json:"edges_sha256_packed12"`
		U64    string `json:"edges_sha256_u64le_pairs"`
	}
	if err := json.Unmarshal([]byte(text), &golden); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"packed": golden.Packed, "u64": golden.U64} {
		path := filepath.Join(t.TempDir(), "edges")
		mustCall(t, "generate", "--scale", "10", "--seeds", "1,1", "--format", format, "--output", path)
		list := read(t, path)
		if sum := sha256.Sum256([]byte(list)); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: SHA-256 %x, want %s", format, sum, want)
		}
	}
}

// edgeFile generates the official graph of scale 10.
func edgeFile(t *testing.T, format string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edges."+format)
	mustCall(t, "generate", "--scale", "10", "--format", format, "--output", path)
	return path
}

func TestDamagedEdgeFilesAreRefused(t *testing.T) {
	whole := edgeFile(t, "packed")
	list := read(t, whole)
	inTuple, atTuple := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for path, n := range map[string]int{inTuple: len(list) - 5, atTuple: len(list) - 12} {
		writeText(t, path, list[:n])
	}
	for name, args := range map[string][]string{
		"cut inside a tuple":  {"--scale", "10", "--edges", inTuple},
		"cut after a tuple":   {"--scale", "10", "--edges", atTuple},
		"of another scale":    {"--scale", "9", "--edges", whole},
		"in another format":   {"--scale", "10", "--edges", whole, "--format", "u64"},
		"that does not exist": {"--scale", "10", "--edges", whole + "x"},
	} {
		status, out, errOut := call(append([]string{"run", "--ranks", "2"}, args...)...)
		if status != failure || strings.Contains(out, "TEPS:") || strings.Count(errOut, "g500: ") != 1 {
			t.Errorf("file %s: status %d\n%s%s", name, status, out, errOut)
		}
	}
}

// cutOff starts a run, sends it a signal after its third search, and returns its output. The run cannot end before the
// signal, because its output is not read until then.
func cutOff(t *testing.T, dir string, signal os.Signal) string {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	narrow(t, to)
	run := program("run", "--scale", "15", "--output", dir)
	run.Stdout, run.Stderr = to, to
	if err := errors.Join(run.Start(), to.Close()); err != nil {
		t.Fatal(err)
	}
	done := awaitSearches(dir)
	if err := run.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	printed, err := io.ReadAll(from)
	if ended := run.Wait(); ended == nil || err != nil || done < 3 {
		t.Fatalf("the run ended by itself or did not start (%v, %v), %d searches\n%s", ended, err, done, printed)
	}
	return string(printed)
}

// narrow makes the capacity of a pipe 4 KiB, which is less than the output of 64 searches and more than that of 3.
func narrow(t *testing.T, pipe *os.File) {
	t.Helper()
	const setPipeSize = 1031 // F_SETPIPE_SZ
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, pipe.Fd(), setPipeSize, 4096); errno != 0 {
		t.Fatal(errno)
	}
}

// awaitSearches waits for the third search of a run with this folder, and returns the number of searches.
func awaitSearches(dir string) (done int) {
	deadline := time.Now().Add(time.Minute)
	for ; done < 3 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "searches.jsonl"))
		done = bytes.Count(text, []byte("\n"))
	}
	return done
}

// A killed run has stored every search that it printed, and is resumed after them.
func TestKilledRunIsResumed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	printed := strings.Count("\n"+cutOff(t, dir, os.Kill), "\nsearch ")
	status, out, errOut := call("run", "--resume", dir)
	if status != success || lastLine(out) != "VALID" || !strings.Contains(out, "come from an earlier run") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if run, err := readRun(dir); err != nil || run.Resumed < max(printed, 3) {
		t.Errorf("error %v, %d searches printed, %+v", err, printed, run)
	}
	if status, out, errOut := call("submission", dir); status != failure || strings.Count(out, "NOT MET") != 1 ||
		!strings.Contains(out, "NOT MET  all searches on one construction") {
		t.Errorf("its submission: status %d\n%s%s", status, out, errOut)
	}
}

// A run that receives a signal ends after a search, and prints how to resume it.
func TestInterruptedRunPrintsHowToResume(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "that run's folder")
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) {
			continue // the tests run under nohup, like the program
		}
		dir := filepath.Join(dir, sent.String())
		printed := cutOff(t, dir, sent)
		for _, want := range []string{
			"kill -TERM ", "stopped by a signal", "INVALID: incomplete, ",
		} {
			if !strings.Contains(printed, want) {
				t.Errorf("%v: no %q in\n%s", sent, want, printed)
			}
		}
		_, line, _ := strings.Cut(printed, "\nto resume the run: ")
		line, _, _ = strings.Cut(line, "\n")
		out, err := asG500(exec.Command("sh", "-c", line)).Output()
		if err != nil || lastLine(string(out)) != "VALID" {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// On a terminal Ctrl-C ends the run: it prints no kill.
func TestTerminalNeedsNoKill(t *testing.T) {
	screen, keyboard := terminal(t)
	run := program("run", "--scale", "4", "--keys", "2", "--quiet=false")
	run.Stderr = keyboard
	if err := errors.Join(run.Run(), keyboard.Close()); err != nil {
		t.Fatal(err)
	}
	shown, _ := io.ReadAll(screen) // until an error at the end of the terminal
	if text := string(shown); strings.Contains(text, "kill -TERM") || !strings.Contains(text, "memory: ") {
		t.Errorf("the terminal shows\n%s", text)
	}
}

// terminal returns both sides of a new terminal.
func terminal(t *testing.T) (screen, keyboard *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	const unlock, number = 0x40045431, 0x80045430 // TIOCSPTLCK, TIOCGPTN
	var n int32
	for _, request := range []uintptr{unlock, number} {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(&n)))
		if errno != 0 {
			t.Skip(errno)
		}
	}
	keyboard, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	return screen, keyboard
}

// A run in the folder makes --output and --resume wrong on any machine.
func TestFolderWithARunIsAMisuse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustCall(t, "run", "--scale", "4", "--keys", "2", "--quiet", "--output", dir)
	for flag, want := range map[string]string{
		"--output": "already holds a run; name another", "--resume": "has ended VALID",
	} {
		if status, _, errOut := call("run", "--scale", "4", "--keys", "2", flag, dir); status != misuse ||
			!strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %s", flag, status, errOut)
		}
	}
}

func TestDoctorAndVersion(t *testing.T) {
	status, out, _ := call("doctor")
	for _, name := range []string{"cores", "memory", "MPI", "GPUs", "largest graph", "built with"} {
		if status != success || !strings.Contains(out, name+":") {
			t.Errorf("doctor, status %d, does not print %s:\n%s", status, name, out)
		}
	}
	if status, out, _ := call("version"); status != success || !strings.HasPrefix(out, "g500 "+cli.Version) {
		t.Errorf("version, status %d: %s", status, out)
	}
}
