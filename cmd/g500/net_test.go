package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"g500/analysis/net"
	"g500/internal/machine"
)

// The model reads the measurements of g500 net.
func TestNetFeedsTheModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "machine.toml")
	status, out, errOut := call("net", "--ranks", "3", "--sizes", "8,4096", "--repeats", "3", "--json", "--machine", file)
	var f net.Figures
	if err := json.Unmarshal([]byte(out), &f); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if len(f.Nodes) != 3 || len(f.Links) != 12 || len(f.AllToAll) != 2 || f.Links[0].Latency <= 0 {
		t.Errorf("%+v", f)
	}
	status, out, errOut = call("model", "--machine", file, "--print-machine")
	if status != success || !strings.Contains(out, "ranks = 3\n") || !strings.Contains(out, "barrier_us = 4.6\n") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

// The memory is printed, and too large messages are refused before their allocation.
func TestNetPlansMemory(t *testing.T) {
	total, _ := machine.Memory()
	ranks := fmt.Sprint(total>>31 + 2)
	status, out, errOut := call("net", "--ranks", ranks, "--sizes", "8,1073741824")
	if status != failure || out != "" || !strings.HasPrefix(errOut, "memory: 2 GiB per rank, ranks: "+ranks) ||
		!strings.Contains(lastLine(errOut), "messages of 1 GiB need 2 GiB on each of "+ranks+" ranks") {
		t.Errorf("status %d, %q, %q", status, out, errOut)
	}
}
