package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"g500/record"
)

// With --json standard output is exactly run.json.
func TestRunAsJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errOut := call("run", "--scale", "10", "--ranks", "2", "--seeds", "1,2", "--output", dir, "--json")
	if stored := read(t, filepath.Join(dir, "run.json")); status != success || out != stored {
		t.Fatalf("status %d, output\n%s\nrun.json\n%s", status, out, stored)
	}
	run, err := record.Parse([]byte(out))
	if err != nil || run.Status != record.Valid || len(run.Kernels[0].Searches) != 64 {
		t.Errorf("%v: %+v", err, run)
	}
	for _, want := range []string{"note: seeds 1 and 2", "(64/64)"} {
		if !strings.Contains(errOut, want) {
			t.Errorf("no %q in progress:\n%s", want, errOut)
		}
	}
}

func TestQuietRunPrintsBlockAndVerdict(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errOut := call("run", "--scale", "10", "--output", dir, "--quiet")
	block := read(t, filepath.Join(dir, "official.txt"))
	if status != success || strings.Replace(out, "\n\n", "\n", 1) != block || errOut != "" {
		t.Errorf("status %d, error output %q, output\n%s", status, errOut, out)
	}
	// Notes on the result are printed with --quiet.
	if _, _, errOut = call("run", "--scale", "6", "--seeds", "1,2", "--quiet"); strings.Count(errOut, "\n") != 1 ||
		!strings.HasPrefix(errOut, "note: seeds 1 and 2") {
		t.Errorf("error output %q", errOut)
	}
	status, out, errOut = call("run", "--scale", "10", "--quiet", "--json")
	if _, err := record.Parse([]byte(out)); status != success || err != nil || errOut != "" {
		t.Errorf("with --json: status %d, %v, error output %q", status, err, errOut)
	}
}

func TestDoctorAsJSON(t *testing.T) {
	status, out, errOut := call("doctor", "--json")
	var found struct {
		Environment record.Environment
		Largest     struct{ Scale int }   `json:"largest_graph"`
		Preset      struct{ Name string } `json:"preset"`
	}
	dec := json.NewDecoder(strings.NewReader(out))
	if err := dec.Decode(&found); status != success || err != nil || dec.More() || errOut != "" {
		t.Fatalf("status %d, %v, %s%s", status, err, out, errOut)
	}
	e := found.Environment
	if e.Program != programVersion() || e.Cores < 1 || len(e.Machines) != 1 || e.Machines[0].Threads < 1 ||
		found.Largest.Scale < 10 || found.Preset.Name == "" {
		t.Errorf("%+v", found)
	}
}

// A run from a file of roots or with a minimal time has a note in the output and in run.json, and cannot be submitted.
func TestChosenRootsAndTimesAreNoSubmission(t *testing.T) {
	roots := filepath.Join(t.TempDir(), "roots.txt")
	writeText(t, roots, "458\n214\n")
	for flag, value := range map[string]string{"roots": roots, "min-time": "1ms"} {
		dir := filepath.Join(t.TempDir(), flag)
		status, out, errOut := call("run", "--scale", "10", "--"+flag, value, "--output", dir)
		if status != success || !strings.Contains(out, "this is no submission") {
			t.Errorf("--%s: status %d\n%s%s", flag, status, out, errOut)
		}
		if !strings.Contains(read(t, filepath.Join(dir, "run.json")), "this is no submission") {
			t.Errorf("--%s: run.json does not have the note", flag)
		}
		status, out, _ = call("submission", dir)
		if status != failure || !strings.Contains(out, "NOT MET  search keys drawn by the generator, each searched once") ||
			!strings.Contains(out, "(--"+flag+")") {
			t.Errorf("--%s: submission, status %d:\n%s", flag, status, out)
		}
		status, _, errOut = call("run", "--resume", dir, "--"+flag, value+"0")
		if status != misuse {
			t.Errorf("--%s: resumed with another, status %d: %s", flag, status, errOut)
		}
	}
}
