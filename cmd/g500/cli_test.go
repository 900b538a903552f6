package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the tests start this program as a process of its own, to kill it.
func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv("G500_TEST_GRACE")); err == nil {
		grace = d
	}
	if os.Getenv("G500_TEST_AS_PROGRAM") != "" {
		version = cmp.Or(os.Getenv("G500_TEST_VERSION"), version)
		main()
	}
	os.Exit(m.Run())
}

// call runs one command in this process.
func call(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = g500(args, &o, &e)
	return status, o.String(), e.String()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

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

func TestMisuseIsOneSentenceAndStatus2(t *testing.T) {
	cases := []struct {
		want string
		args []string
	}{
		{"from 1 to 47", []string{"run", "--scale", "48"}},
		{"there is no engine", []string{"run", "--scale", "4", "--engine", "warp"}},
		{"auto or bitmap or bins", []string{"run", "--exchange", "pigeons"}},
		{"auto or peer or mpi or staged or nccl or peer+nccl", []string{"run", "--gpu-transport", "pigeon"}},
		{"two numbers", []string{"run", "--seeds", "2"}},
		{"unknown flag: --scle", []string{"run", "--scle", "4"}},
		{"there is no command", []string{"rum"}},
		{"cannot read the configuration", []string{"run", "--config", "nowhere.toml"}},
		{"--resume and --output exclude each other", []string{"run", "--resume", "a", "--output", "b"}},
		{"takes no argument \"false\"", []string{"run", "--validate", "false"}},
		{"there is no run to resume", []string{"run", "--resume", "nowhere"}},
		{"packed or u64", []string{"generate", "--format", "csv", "--output", "x"}},
		{"--output FILE is missing", []string{"generate", "--scale", "4"}},
		{"are needed", []string{"validate", "--tree", "x"}},
	}
	for _, c := range cases {
		status, out, errOut := call(c.args...)
		if status != misuse || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 || out != "" {
			t.Errorf("%v: status %d, output %q, error %q; want status %d and %q", c.args, status, out, errOut, misuse, c.want)
		}
	}
}

func TestScaleThatDoesNotFit(t *testing.T) {
	status, _, errOut := call("run", "--scale", "40")
	if status != failure || !strings.Contains(lastLine(errOut), "the largest scale that fits is") {
		t.Errorf("status %d: %s", status, errOut)
	}
}

func TestGenerateWritesTheOfficialEdgeList(t *testing.T) {
	text, err := os.ReadFile("../../kronecker/testdata/s10_ef16_seed1_1.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Packed string `json:"edges_sha256_packed12"`
		U64    string `json:"edges_sha256_u64le_pairs"`
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"packed": golden.Packed, "u64": golden.U64} {
		path := filepath.Join(t.TempDir(), "edges")
		status, _, errOut := call("generate", "--scale", "10", "--seeds", "1,1", "--format", format, "--output", path)
		if status != success {
			t.Fatal(errOut)
		}
		list, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(list); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: SHA-256 %x, want %s", format, sum, want)
		}
	}
}

// edgeFile generates the official graph of scale 10.
func edgeFile(t *testing.T, format string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edges."+format)
	if status, _, errOut := call("generate", "--scale", "10", "--format", format, "--output", path); status != success {
		t.Fatal(errOut)
	}
	return path
}

func TestRunReadsEdgesBack(t *testing.T) {
	for _, format := range []string{"packed", "u64"} {
		path := edgeFile(t, format)
		status, out, errOut := call("run", "--scale", "10", "--edges", path, "--format", format, "--ranks", "3")
		if status != success || !strings.Contains(out, "min_nedge:                      16239\n") {
			t.Errorf("%s: status %d\n%s%s", format, status, out, errOut)
		}
	}
}

func TestDamagedEdgeFilesAreRefused(t *testing.T) {
	whole := edgeFile(t, "packed")
	list, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	inTuple, atTuple := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for path, n := range map[string]int{inTuple: len(list) - 5, atTuple: len(list) - 12} {
		if err := os.WriteFile(path, list[:n], 0o644); err != nil {
			t.Fatal(err)
		}
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

func TestValidateJudgesStoredTrees(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, _, errOut := call("run", "--scale", "10", "--ranks", "3", "--keys", "2", "--output", dir, "--trees")
	if status != success {
		t.Fatal(errOut)
	}
	edges, tree := edgeFile(t, "packed"), filepath.Join(dir, "trees/0.i64")
	check := func(tree string) (int, string) {
		status, out, errOut := call("validate",
			"--edges", edges, "--scale", "10", "--tree", tree, "--root", "458", "--ranks", "2")
		return status, out + errOut
	}
	status, out := check(tree)
	if status != success || !strings.Contains(out, "reached_vertices: 897\n") ||
		!strings.Contains(out, "edges: 16239\n") || lastLine(out) != "VALID" {
		t.Errorf("status %d:\n%s", status, out)
	}
	parents, err := os.ReadFile(tree)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(parents[8*458:], 214) // the root's parent is another vertex
	broken := filepath.Join(t.TempDir(), "broken.i64")
	if err := os.WriteFile(broken, parents, 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out := check(broken); status != failure || !strings.HasPrefix(lastLine(out), "INVALID: ") {
		t.Errorf("a broken tree: status %d:\n%s", status, out)
	}
	if err := os.WriteFile(broken, parents[:4000], 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out := check(broken); status != failure || !strings.Contains(out, "truncated") {
		t.Errorf("a truncated tree: status %d:\n%s", status, out)
	}
}

// cutOff starts a run, sends it a signal after its third search, and returns what it printed until it ended.
func cutOff(t *testing.T, dir string, signal os.Signal) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program, "run", "--scale", "15", "--output", dir)
	run.Env = append(os.Environ(), "G500_TEST_AS_PROGRAM=1")
	var printed bytes.Buffer
	run.Stdout, run.Stderr = &printed, &printed
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	done := 0
	deadline := time.Now().Add(30 * time.Second)
	for ; done < 3 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "searches.jsonl"))
		done = bytes.Count(text, []byte("\n"))
	}
	if err := run.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); err == nil || done < 3 {
		t.Fatalf("the run ended by itself or did not start (%v), %d searches\n%s", err, done, &printed)
	}
	return printed.String()
}

// A run that is killed has every search that it had told of, and goes on from there.
func TestKilledRunIsResumed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	told := strings.Count("\n"+cutOff(t, dir, os.Kill), "\nsearch ")
	status, out, errOut := call("run", "--resume", dir)
	if status != success || lastLine(out) != "VALID" || !strings.Contains(out, "come from an earlier run") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if run, err := readRun(dir); err != nil || run.Resumed < max(told, 3) {
		t.Errorf("error %v, %d searches told, %+v", err, told, run)
	}
	if status, out, errOut := call("submission", dir); status != failure || strings.Count(out, "NOT MET") != 1 ||
		!strings.Contains(out, "NOT MET  all searches on one construction") {
		t.Errorf("its submission: status %d\n%s%s", status, out, errOut)
	}
}

// A run that a signal stops ends after a search, and prints how to go on.
func TestInterruptedRunSaysHowToGoOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) {
			continue // the tests run under nohup, and so would the program
		}
		dir := filepath.Join(dir, sent.String())
		printed := cutOff(t, dir, sent)
		for _, want := range []string{
			"kill -TERM ", "stopped by a signal", "g500 run --resume " + dir + "\n", "INVALID: incomplete, ",
		} {
			if !strings.Contains(printed, want) {
				t.Errorf("%v: no %q in\n%s", sent, want, printed)
			}
		}
	}
}

func TestDoctorAndVersion(t *testing.T) {
	status, out, _ := call("doctor")
	for _, name := range []string{"cores", "memory", "MPI", "GPUs", "largest graph", "built with"} {
		if status != success || !strings.Contains(out, name+":") {
			t.Errorf("doctor, status %d, says nothing of %s:\n%s", status, name, out)
		}
	}
	if status, out, _ := call("version"); status != success || !strings.HasPrefix(out, fmt.Sprintf("g500 %s", version)) {
		t.Errorf("version, status %d: %s", status, out)
	}
}
