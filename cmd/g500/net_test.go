package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"g500/analysis/net"
	"g500/internal/machine"
)

// The JSON has every pair and size.
func TestNetMeasures(t *testing.T) {
	status, out, errOut := call("net", "--ranks", "3", "--sizes", "8,4096", "--repeats", "3", "--json")
	var f net.Figures
	if err := json.Unmarshal([]byte(out), &f); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if len(f.Nodes) != 3 || len(f.Links) != 12 || len(f.AllToAll) != 2 || f.Links[0].Latency <= 0 {
		t.Errorf("%+v", f)
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
