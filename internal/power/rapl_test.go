// SPDX-License-Identifier: Apache-2.0

package power

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// domain is a counter of Linux.
type domain struct {
	folder, name       string
	microjoules, limit uint64
}

// powercap creates a folder of counters.
func powercap(t *testing.T, domains []domain) string {
	t.Helper()
	root := t.TempDir()
	for _, d := range domains {
		folder := filepath.Join(root, d.folder)
		expect.NoError(t, os.MkdirAll(folder, 0o755))
		for name, text := range map[string]string{
			"name": d.name, "energy_uj": fmt.Sprint(d.microjoules), "max_energy_range_uj": fmt.Sprint(d.limit),
		} {
			expect.Write(t, filepath.Join(folder, name), text+"\n")
		}
	}
	return root
}

func set(t *testing.T, root, folder string, microjoules uint64) {
	t.Helper()
	expect.Write(t, filepath.Join(root, folder, "energy_uj"), []byte(fmt.Sprintln(microjoules)))
}

const most = 262143328850 // the limit of a real counter

// twoSockets has two packages with memory. Cores are a part of a package, and psys contains both: neither may be added.
func twoSockets(t *testing.T) string {
	return powercap(t, []domain{
		{"intel-rapl:0", "package-0", 5_000_000, most},
		{"intel-rapl:0:0", "core", 4_000_000, most},
		{"intel-rapl:0:1", "dram", 1_000_000, most},
		{"intel-rapl:1", "package-1", 6_000_000, most},
		{"intel-rapl:1:0", "dram", 2_000_000, most},
		{"intel-rapl:2", "psys", 90_000_000, most},
		{"intel-rapl-mmio:0", "package-0", 70_000_000, most}, // package 0 again
	})
}

func joules(t *testing.T, m Meter) float64 {
	t.Helper()
	return expect.Value(m.Read())(t)
}

func TestRAPLCountsEachJouleOnce(t *testing.T) {
	root := twoSockets(t)
	m := expect.Value(RAPL(root))(t)
	expect.Equal(t, joules(t, m), 14, "J")
	set(t, root, "intel-rapl:1", 6_500_000)
	set(t, root, "intel-rapl:0:0", 9_000_000)
	expect.Equal(t, joules(t, m), 14.5, "J after half a joule of package 1")
	expect.That(t, strings.HasSuffix(m.Covers(), "and their memory") && strings.HasPrefix(m.Source(), "RAPL, 4 counters"),
		"it describes itself as %q, %q", m.Source(), m.Covers())
	expect.NoError(t, os.RemoveAll(root))
	expect.Error(t, expect.Err(m.Read()), "no such file")
}

// A counter may wrap around several times.
func TestRAPLCounterWrapsAround(t *testing.T) {
	root := powercap(t, []domain{{"intel-rapl:0", "package-0", 9_000_000, 10_000_000}})
	m := expect.Value(RAPL(root))(t)
	for i, step := range []struct {
		now  uint64
		want float64
	}{{9_500_000, 9.5}, {500_000, 10.5}, {9_000_000, 19}, {1_000_000, 21}} {
		set(t, root, "intel-rapl:0", step.now)
		expect.Equal(t, joules(t, m), step.want, "reading", i, "J")
	}
}

func TestMissingRAPL(t *testing.T) {
	expect.Error(t, expect.Err(RAPL(t.TempDir())), "virtual machines have none")
	if os.Geteuid() == 0 {
		return // root may read everything
	}
	root := twoSockets(t)
	expect.NoError(t, os.Chmod(filepath.Join(root, "intel-rapl:0", "energy_uj"), 0))
	expect.Error(t, expect.Err(RAPL(root)), "only root may read")
}
