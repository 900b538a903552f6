package main

import (
	"path/filepath"
	"strings"
	"testing"

	"g500/comm"
)

func TestSettingsOfAFileMayBeIdle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.toml")
	text := "[graph]\nscale = 5\nformat = \"u64\"\n[search]\nengine = \"topdown\"\ntrace = true\npower_seconds = 3\n" +
		"[policy]\nbeta = 9\n"
	writeText(t, path, text)
	if status, out, errOut := call("run", "--config", path, "--quiet"); status != success || lastLine(out) != "VALID" {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

func TestRanksOfACommandLineUnderALauncher(t *testing.T) {
	t.Setenv("OMPI_COMM_WORLD_SIZE", "4")
	t.Setenv("OMPI_COMM_WORLD_RANK", "0")
	status, _, errOut := call("run", "--print-config", "--ranks", "2")
	if want := "--ranks has no effect under mpirun, which starts the ranks"; comm.MPIVersion() != "" &&
		(status != misuse || !strings.Contains(errOut, want)) {
		t.Errorf("status %d, %q, want %q", status, errOut, want)
	}
	if status, _, errOut := call("run", "--print-config", "--ranks", "4"); status != success {
		t.Errorf("the same number: status %d, %q", status, errOut)
	}
}
