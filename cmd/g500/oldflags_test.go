package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Old names of flags and engines mean the present ones.
func TestOldNamesMeanThePresentOnes(t *testing.T) {
	want := []string{`engine = "cpu"`, "kernel_times = true", "emulate_nodes = 2", `gpu_transport = "staged"`,
		`edge_memory = "host"`}
	for _, args := range [][]string{
		{"--engine", "hybrid", "--sync", "--hosts=2", "--ranks", "2", "--carrier", "staged", "--tuples=host"},
	} {
		status, out, errOut := call(append([]string{"run", "--print-config"}, args...)...)
		for _, setting := range want {
			if status != success || !strings.Contains(out, setting) {
				t.Errorf("run %q: status %d, no %s in %s%s", args, status, setting, out, errOut)
			}
		}
	}
	list := filepath.Join(t.TempDir(), "list")
	if status, _, errOut := call("generate", "--scale", "4", "--out", list); status != success {
		t.Errorf("generate --out: status %d, %s", status, errOut)
	}
}

// No command has a flag with an old name, and help and completion do not show one.
func TestOldNamesAreHidden(t *testing.T) {
	for _, c := range commandsOf(rootCommand()) {
		root := rootCommand()
		var shown strings.Builder
		root.SetOut(&shown)
		root.SetErr(io.Discard)
		path := strings.Fields(c.CommandPath())[1:]
		for _, args := range [][]string{append(path, "--help"), append(append([]string{"__complete"}, path...), "--")} {
			root.SetArgs(args)
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
		}
		for old, present := range oldFlags {
			if strings.Contains(shown.String(), "--"+old+" ") || strings.Contains(shown.String(), "--"+old+"\t") {
				t.Errorf("%s shows --%s, the old name of --%s", c.CommandPath(), old, present)
			}
		}
	}
}
