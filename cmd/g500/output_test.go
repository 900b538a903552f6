package main

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/bench"
	"g500/record"
)

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
