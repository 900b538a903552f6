// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"g500/bench"
	"g500/internal/expect"
)

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
		expect.Equal(t, strings.Join(strings.Fields(line), " "), want[i], "line", i)
	}
	out.Reset()
	for _, backend := range []bench.Backend{{}, {KernelTimes: func() []bench.KernelTime { return nil }}} {
		if err := printKernels(&out, backend); err != nil || out.Len() > 0 {
			t.Errorf("without times: error %v, output %q", err, out.String())
		}
	}
}
