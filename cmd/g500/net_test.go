package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"g500/network"
)

// What net measures, model reads.
func TestNetFeedsTheModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "machine.toml")
	status, out, errOut := call("net", "--ranks", "3", "--sizes", "8,4096", "--repeats", "3", "--json", "--machine", file)
	var f network.Figures
	if err := json.Unmarshal([]byte(out), &f); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if len(f.Hosts) != 3 || len(f.Links) != 12 || len(f.AllToAll) != 2 || f.Links[0].Latency <= 0 {
		t.Errorf("%+v", f)
	}
	status, out, errOut = call("model", "--machine", file, "--print-machine")
	if status != success || !strings.Contains(out, "ranks = 3\n") || !strings.Contains(out, "barrier_us = 4.6\n") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

func TestNetRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"one rank has no other":       {"--ranks", "1"},
		"from small to large":         {"--sizes", "64,8"},
		"0 repeats cannot":            {"--repeats", "0"},
		"choose --engine host or gpu": {"--engine", "topdown"},
		"how GPUs reach each other":   {"--carrier", "peer"},
		"exclude each other":          {"--json", "--csv"},
	} {
		status, _, errOut := call(append([]string{"net"}, args...)...)
		if status != misuse || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %q", args, status, errOut)
		}
	}
}
