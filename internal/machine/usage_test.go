// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"path/filepath"
	"testing"

	"g500/internal/expect"
)

// Of four cores during 2 s, this process and its child used 1.5 s, and others 3 of 8 s. A shorter time is not resolved.
func TestUsageOfOthers(t *testing.T) {
	const cores = "cpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\nintr 5\n"
	root := nodeOf(t, map[string]string{"proc/stat": "cpu  100 0 100 1000 50 0 0 0 90 0\n" + cores,
		"proc/self/stat": "7 (a ) b) R 1 1 1 0 -1 0 0 0 0 0 10 20 0 0 20 0\n", "proc/self/task/8/children": "9 ",
		"proc/9/stat": "9 (c) S 7 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 0\n"})
	l := Root(root).BeginUsage()
	write := func(stat, self string) {
		expect.Write(t, filepath.Join(root, "proc/stat"), stat+cores)
		expect.Write(t, filepath.Join(root, "proc/self/stat"), "7 (a ) b) R 1 1 1 0 -1 0 0 0 0 0 "+self+" 20 0\n")
		expect.Write(t, filepath.Join(root, "proc/9/stat"), "9 (c) S 7 1 1 0 -1 0 0 0 0 0 15 15 0 0 20 0\n")
	}
	write("cpu  400 0 220 1330 70 5 5 20 300 0\n", "100 50 5 5")
	if got := l.Others(); got != 0.375 {
		t.Errorf("others used %g, want 0.375", got)
	}
	write("cpu  200 0 100 1000 50 0 0 0 90 0\n", "10 20 0 0")
	if got := l.Others(); got != 0 {
		t.Errorf("others used %g within 0.25 s", got)
	}
}
