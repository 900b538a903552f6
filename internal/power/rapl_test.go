package power

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// domain is a counter of Linux.
type domain struct {
	folder, name string
	microjoules  uint64
	limit        uint64
}

// powercap creates a folder of counters.
func powercap(t *testing.T, domains []domain) string {
	t.Helper()
	root := t.TempDir()
	for _, d := range domains {
		folder := filepath.Join(root, d.folder)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"name": d.name, "energy_uj": fmt.Sprint(d.microjoules), "max_energy_range_uj": fmt.Sprint(d.limit),
		} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func set(t *testing.T, root, folder string, microjoules uint64) {
	t.Helper()
	counter := []byte(fmt.Sprintln(microjoules))
	if err := os.WriteFile(filepath.Join(root, folder, "energy_uj"), counter, 0o644); err != nil {
		t.Fatal(err)
	}
}

const most = 262143328850 // the limit of a real counter

// twoSockets has two packages with memory. Cores are a part of a package, and psys contains both packages: neither may
// be added.
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
	j, err := m.Read()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestRAPLCountsEachJouleOnce(t *testing.T) {
	root := twoSockets(t)
	m, err := RAPL(root)
	if err != nil {
		t.Fatal(err)
	}
	if got := joules(t, m); got != 14 {
		t.Errorf("%g J, want packages and memory, 14 J", got)
	}
	set(t, root, "intel-rapl:1", 6_500_000)
	set(t, root, "intel-rapl:0:0", 9_000_000)
	if got := joules(t, m); got != 14.5 {
		t.Errorf("%g J after half a joule of package 1, want 14.5", got)
	}
	if !strings.HasSuffix(m.Covers(), "and their memory") ||
		!strings.HasPrefix(m.Source(), "RAPL, 4 counters") {
		t.Errorf("it describes itself as %q, %q", m.Source(), m.Covers())
	}
}

// A counter may wrap around several times.
func TestRAPLCounterWrapsAround(t *testing.T) {
	root := powercap(t, []domain{{"intel-rapl:0", "package-0", 9_000_000, 10_000_000}})
	m, err := RAPL(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		now  uint64
		want float64
	}{{9_500_000, 9.5}, {500_000, 10.5}, {9_000_000, 19}, {1_000_000, 21}} {
		set(t, root, "intel-rapl:0", step.now)
		if got := joules(t, m); got != step.want {
			t.Errorf("reading %d: %g J, want %g", i, got, step.want)
		}
	}
}

func TestMissingRAPL(t *testing.T) {
	if _, err := RAPL(t.TempDir()); err == nil || !strings.Contains(err.Error(), "virtual machines have none") {
		t.Errorf("got %v", err)
	}
	if os.Geteuid() == 0 {
		return // root may read everything
	}
	root := twoSockets(t)
	if err := os.Chmod(filepath.Join(root, "intel-rapl:0", "energy_uj"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := RAPL(root); err == nil || !strings.Contains(err.Error(), "only root may read") {
		t.Errorf("got %v", err)
	}
}

func TestRAPLWithoutItsFiles(t *testing.T) {
	root := twoSockets(t)
	m, err := RAPL(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if j, err := m.Read(); err == nil {
		t.Errorf("%g J of missing files", j)
	}
}
