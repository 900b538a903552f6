package main

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/cmd/cli"
	"g500/record"
)

// studyFile writes a study, and makes this program g500 in the processes that it starts.
func studyFile(t *testing.T, text string) (file, dir string) {
	t.Helper()
	t.Setenv("G500_TEST_AS_PROGRAM", "1")
	file = filepath.Join(t.TempDir(), "s.toml")
	writeText(t, file, text)
	return file, filepath.Join(t.TempDir(), "study")
}

// column reads one column of a study's table, by the folder of the run.
func column(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, studyCSV))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]string{}
	for c, head := range rows[0] {
		if head == name {
			for _, row := range rows[1:] {
				cells[row[0]] = row[c]
			}
			return cells
		}
	}
	t.Fatalf("there is no column %s in %q", name, rows[0])
	return nil
}

func TestScaleRunsAStudyAndSkipsFinishedRuns(t *testing.T) {
	file, dir := studyFile(t,
		"scaling = \"weak\"\nscales = [9]\nranks = [1, 2]\nrepeats = 2\nflags = [\"--threads\", \"1\", \"--keys\", \"4\"]\n")
	status, out, errOut := call("scale", file, "--output", dir)
	if status != success {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	for _, want := range []string{"Weak scaling, scale 9 per rank", "baseline's, scale 9, 1 rank: ", "median of 2 runs",
		"100%", "4 of 4 runs valid"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if scales := column(t, dir, "scale"); len(scales) != 4 || scales["scale10-ranks2-run2"] != "10" {
		t.Errorf("scales %v", scales)
	}
	for name, efficiency := range column(t, dir, "weak_efficiency") {
		if efficiency == "" {
			t.Errorf("%s has no efficiency", name)
		}
	}
	before := column(t, dir, "harmonic_mean_teps")
	status, out, errOut = call("scale", file, "--output", dir)
	if status != success || strings.Count(errOut, "was done before") != 4 {
		t.Errorf("second start: status %d\n%s%s", status, out, errOut)
	}
	for name, teps := range column(t, dir, "harmonic_mean_teps") {
		if before[name] != teps {
			t.Errorf("%s ran again", name)
		}
	}
}

// Runs of a study without a number of threads differ only in ranks, so that one rank is the baseline.
func TestScaleFixesThreads(t *testing.T) {
	file, dir := studyFile(t, "scaling = \"strong\"\nscales = [6]\nranks = [1, 2, 64]\nflags = [\"--keys\", \"1\"]\n")
	status, out, errOut := call("scale", file, "--output", dir)
	if status != success || !strings.Contains(out, "baseline's, scale 6, 1 rank: ") ||
		strings.Contains(out, "in no scaling table") || !strings.Contains(errOut, "each rank of each run has ") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	threads := column(t, dir, "threads")
	for name, n := range threads {
		if len(threads) != 3 || n != threads["scale6-ranks64-run1"] {
			t.Errorf("%s has %s threads: %v", name, n, threads)
		}
	}
}

// A run of another number of threads is in no table; scale, report and compare say so.
func TestRunsInNoTableAreNamed(t *testing.T) {
	file, dir := studyFile(t, "scaling = \"strong\"\nscales = [6]\nranks = [1, 2, 4]\nflags = [\"--keys\", \"1\"]\n"+
		`launch = ["sh", "-c", "t={ranks}; [ $t = 1 ] && t=3 || t=1; exec \"$0\" \"$@\" --ranks {ranks} --threads $t"]`+"\n")
	_, out, errOut := call("scale", file, "--output", dir)
	const why = "run scale6-ranks1-run1 at scale 6 on 1 rank: 3 threads per rank, and 1 thread per rank on other " +
		"numbers of ranks"
	if !strings.Contains(out, "note: in no scaling table: "+why) {
		t.Errorf("%s%s", out, errOut)
	}
	_, out, errOut = call("report", dir)
	page := read(t, filepath.Join(dir, "report", cli.PageFile))
	if !strings.Contains(errOut, why) || !strings.Contains(page, why) {
		t.Errorf("report: %s%s", out, errOut)
	}
	other := filepath.Join(t.TempDir(), "b")
	mustCall(t, "run", "--scale", "6", "--keys", "1", "--ranks", "2", "--threads", "1", "--output", other)
	out = mustCall(t, "compare", dir, other)
	if strings.Count(out, "not compared: ") != 2 || !strings.Contains(out, "3 threads per rank") {
		t.Errorf("compare: %s", out)
	}
}

// Two of four runs cannot start. The others count, the reason is printed, and the exit status is not 0.
func TestScaleReportsFailedRuns(t *testing.T) {
	file, dir := studyFile(t, "scaling = \"strong\"\nscales = [8, 9]\nranks = [1, 2]\nflags = [\"--keys\", \"4\"]\n"+
		`launch = ["sh", "-c", "[ {ranks} = 1 ] || { echo no such host >&2; exit 3; }; exec \"$0\" \"$@\""]`+"\n")
	status, out, errOut := call("scale", file, "--output", dir)
	if status != failure || !strings.Contains(out, "2 of 4 runs valid") || !strings.Contains(out, "nothing to compare") ||
		strings.Count(errOut, "FAILED: ") != 2 || !strings.Contains(errOut, "no such host") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	for name, status := range column(t, dir, "status") {
		want := record.Valid
		if strings.Contains(name, "ranks2") {
			want = record.Incomplete
		}
		if status != string(want) {
			t.Errorf("%s is %s, want %s", name, status, want)
		}
	}
}

// A study that is killed during a run resumes that run, which cannot end before, because its output is not read.
func TestKilledStudyIsResumed(t *testing.T) {
	output := filepath.Join(t.TempDir(), "output")
	err := syscall.Mkfifo(output, 0o600)
	pipe, opened := os.OpenFile(output, os.O_RDWR, 0)
	if err := errors.Join(err, opened); err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	narrow(t, pipe)
	file, dir := studyFile(t, "scaling = \"strong\"\nscales = [13, 14]\nranks = [1]\nflags = [\"--threads\", \"1\"]\n"+
		`launch = ["sh", "-c", "[ {scale},{ranks} = 13,1 ] || exec 2>`+output+`; exec \"$0\" \"$@\""]`+"\n")
	first := program("scale", file, "--output", dir)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "scale14-ranks1-run1")
	done := awaitSearches(run)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil || done < 3 {
		t.Fatalf("the study ended by itself or did not start (%v), %d searches", err, done)
	}
	go io.Copy(io.Discard, pipe)
	status, out, errOut := call("scale", file, "--output", dir)
	deadline := time.Now().Add(30 * time.Second)
	for strings.Contains(errOut, "another g500 scale") && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond) // the orphaned run receives a signal, and may finish its search
		status, out, errOut = call("scale", file, "--output", dir)
	}
	if status != success || !strings.Contains(errOut, ": resumes") {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	result, err := readRun(run)
	if err != nil || result.Status != record.Valid || result.Resumed < 3 {
		t.Errorf("error %v, the run is %s with %d resumed searches", err, result.Status, result.Resumed)
	}
}

func TestScaleRefusesOtherSettingsAndLaunchers(t *testing.T) {
	changed, dir := studyFile(t, "scaling = \"strong\"\nscales = [6]\nranks = [1]\nflags = [\"--keys\", \"1\"]\n")
	mustCall(t, "scale", changed, "--output", dir)
	other, _ := studyFile(t, "scaling = \"strong\"\nscales = [6]\nranks = [1]\nflags = [\"--keys\", \"2\"]\n")
	if status, out, errOut := call("scale", other, "--output", dir); status == success || out != "" ||
		!strings.Contains(errOut, "other settings") {
		t.Errorf("another study in the folder: status %d, output %q, error %q", status, out, errOut)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	t.Setenv("OMPI_COMM_WORLD_RANK", "0")
	if status, _, errOut := call("scale", changed, "--output", dir); status != misuse ||
		!strings.Contains(errOut, "mpirun started g500 scale") {
		t.Errorf("under mpirun: status %d, error %q", status, errOut)
	}
}

// A study whose runs would all be refused stops before the first run, and leaves no folder.
func TestScaleChecksTheRunsFirst(t *testing.T) {
	for flags, want := range map[string]string{
		`["--engine", "warp"]`:       `settings of scale8-ranks1-run1 are wrong: search.engine = "warp": it must be auto`,
		`["--scal", "3"]`:            "did you mean --scale?",
		`["--validate", "--keys=0"]`: "search.keys = 0: it must be from 1",
	} {
		file, dir := studyFile(t, "scaling = \"strong\"\nscales = [8, 9]\nranks = [1, 2]\nconfig = \"tiny\"\nflags = "+flags)
		status, out, errOut := call("scale", file, "--output", dir)
		if status != misuse || !strings.Contains(errOut, want) || strings.Contains(errOut, "begins\n") || out != "" {
			t.Errorf("%s: status %d, %s%s", flags, status, out, errOut)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: there is a folder", flags)
		}
	}
}
