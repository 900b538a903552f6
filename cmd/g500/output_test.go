package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/bench"
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
	for _, want := range []string{"note: seeds 1,2", "(64/64)"} {
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
		!strings.HasPrefix(errOut, "note: seeds 1,2") {
		t.Errorf("error output %q", errOut)
	}
	status, out, errOut = call("run", "--scale", "10", "--quiet", "--json")
	if _, err := record.Parse([]byte(out)); status != success || err != nil || errOut != "" {
		t.Errorf("with --json: status %d, %v, error output %q", status, err, errOut)
	}
}

// A folder that a run cannot use is a wrong command line, whether the run is new or resumed.
func TestFoldersOfOtherRunsAreMisuse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	mustCall(t, "run", "--scale", "6", "--keys", "1", "--output", dir)
	for _, args := range [][]string{{"--scale", "6", "--output", dir}, {"--resume", dir}, {"--scale", "6", "--ranks", "2",
		"--output", dir}} {
		if status, out, errOut := call(append([]string{"run"}, args...)...); status != misuse || out != "" {
			t.Errorf("%q: status %d\n%s%s", args, status, out, errOut)
		}
	}
}

// A run says at its start that it stores nothing or, at its end, where it is stored, and the next commands.
func TestRunSaysWhereItIsStored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	const nothing = "the run stores nothing: --output DIR"
	for name, c := range map[string]struct {
		args            []string
		wants, unwanted string
	}{
		"not stored":    {nil, nothing, "g500 report"},
		"stored":        {[]string{"--output", dir}, "the run is in " + dir + ": g500 report " + dir, nothing},
		"for the list":  {[]string{"--output", dir + "1"}, "; g500 submission " + dir + "1 ", nothing},
		"another graph": {[]string{"--output", dir + "2", "--graph", "road:4x4"}, "g500 report " + dir + "2", "submission"},
		"quiet":         {[]string{"--quiet"}, "", nothing},
		"quiet, stored": {[]string{"--quiet", "--output", dir + "3"}, "", "the run"},
		"JSON":          {[]string{"--json"}, nothing, "g500 report"},
	} {
		args := append([]string{"run", "--keys", "1"}, c.args...)
		if !slices.Contains(args, "--graph") {
			args = append(args, "--scale", "6")
		}
		status, out, errOut := call(args...)
		if status != success || !strings.Contains(errOut, c.wants) || strings.Contains(errOut, c.unwanted) ||
			strings.Contains(out, "--output DIR") || strings.Contains(out, "g500 report") {
			t.Errorf("%s: status %d\n%s%s", name, status, out, errOut)
		}
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
			!strings.Contains(out, "(search."+strings.ReplaceAll(flag, "-", "_")+")") {
			t.Errorf("--%s: submission, status %d:\n%s", flag, status, out)
		}
		status, _, errOut = call("run", "--resume", dir, "--"+flag, value+"0")
		if status != misuse {
			t.Errorf("--%s: resumed with another, status %d: %s", flag, status, errOut)
		}
	}
}

// A run with --power is valid with and without meters. Its summary and run.json have figures, or the reason why they
// have none: figures are null then, and --quiet prints the reason as a note.
func TestRunWithPower(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errOut := call("run", "--scale", "10", "--ranks", "2", "--power", "--power-seconds", "1", "--output", dir)
	if status != success || lastLine(out) != "VALID" || !strings.Contains(out, "\npower         ") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	run, err := record.Read(dir)
	if err != nil || run.Contradiction != "" {
		t.Fatal(err, run.Contradiction)
	}
	why := run.Kernels[0].Power.Refused
	if figures := strings.Contains(out, "TEPS/W"); figures != (why == "") ||
		figures == strings.Contains(out, "power         no figure: "+why) ||
		figures == strings.Contains(read(t, filepath.Join(dir, record.File)), `"watts": null,`) {
		t.Errorf("figures and a refusal, or neither:\n%s", out)
	}
	_, out, errOut = call("run", "--scale", "10", "--quiet", "--power", "--power-seconds", "1")
	note := "note: power has no figure: " + strings.TrimSuffix(why, "(rank 0)")
	if why != "" && !strings.Contains(errOut, note) {
		t.Errorf("no %q in\n%s%s", note, out, errOut)
	}
}

// The slowest kernel comes first; the columns are launches, total milliseconds, microseconds per launch. Without times
// there is no table.
func TestPrintKernels(t *testing.T) {
	var out strings.Builder
	err := printKernels(&out, bench.Backend{KernelTimes: func() []bench.KernelTime {
		return []bench.KernelTime{{Name: "quick_kernel", Launches: 2, Seconds: 3e-6},
			{Name: "slow<u32>", Launches: 65, Seconds: 0.13}}
	}})
	want := []string{"launches total ms mean us kernel", "65 130.000 2000.0 slow<u32>", "2 0.003 1.5 quick_kernel"}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if err != nil || len(lines) != len(want) {
		t.Fatalf("error %v, lines %q", err, lines)
	}
	for i, line := range lines {
		if got := strings.Join(strings.Fields(line), " "); got != want[i] {
			t.Errorf("line %d is %q, want %q", i, got, want[i])
		}
	}
	out.Reset()
	for _, backend := range []bench.Backend{{}, {KernelTimes: func() []bench.KernelTime { return nil }}} {
		if err := printKernels(&out, backend); err != nil || out.Len() > 0 {
			t.Errorf("without times: error %v, output %q", err, out.String())
		}
	}
}
