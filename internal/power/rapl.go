// SPDX-License-Identifier: Apache-2.0

package power

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"g500/internal/machine"
)

// Powercap is Linux's folder of the energy counters of processors.
const Powercap = "/sys/class/powercap"

// rapl is the sum of the counters of all processor packages of the node and of their memory. Intel's Running Average
// Power Limit, which AMD's processors have, too, updates them about every millisecond.
type rapl struct {
	zones  []*zone
	covers string
}

// zone is one counter, which wraps around.
type zone struct {
	file     string
	limit    uint64 // microjoules at which the counter wraps around
	last     uint64
	overflow uint64 // sum of limit over all wraparounds
}

// RAPL opens the counters of the node's processors in a folder, which is Powercap except in tests.
func RAPL(folder string) (Meter, error) {
	names, err := filepath.Glob(filepath.Join(folder, "intel-rapl:*", "name"))
	if err != nil {
		return nil, err
	}
	m := &rapl{}
	memory := false
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		domain := strings.TrimSpace(string(text))
		// Other domains are parts of a package, or contain packages.
		if !strings.HasPrefix(domain, "package") && domain != "dram" {
			continue
		}
		z, err := openZone(filepath.Dir(name))
		if err != nil {
			return nil, err
		}
		memory = memory || domain == "dram"
		m.zones = append(m.zones, z)
	}
	if len(m.zones) == 0 {
		return nil, fmt.Errorf("this node has no energy counters of its processors in %s; "+
			"virtual machines have none", folder)
	}
	m.covers = "the processor packages of " + machine.Node()
	if memory {
		m.covers += " and their memory"
	}
	return m, nil
}

func openZone(folder string) (*zone, error) {
	limit, err := readNumber(filepath.Join(folder, "max_energy_range_uj"))
	if err != nil {
		return nil, err
	}
	z := &zone{file: filepath.Join(folder, "energy_uj"), limit: limit}
	_, err = z.read()
	return z, err
}

// read returns the energy in microjoules since an unknown time before the zone was opened. It must be called at least
// once per wraparound, which takes minutes.
func (z *zone) read() (uint64, error) {
	now, err := readNumber(z.file)
	if err != nil {
		return 0, err
	}
	if now < z.last {
		z.overflow += z.limit
	}
	z.last = now
	return z.overflow + now, nil
}

func readNumber(path string) (uint64, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrPermission) {
		return 0, fmt.Errorf("only root may read %s: run as root, or let the administrator open it (chmod a+r)", path)
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s has no number: %w", path, err)
	}
	return n, nil
}

func (m *rapl) Identity() string { return machine.NodeID() + " rapl" }

func (m *rapl) Source() string {
	return fmt.Sprintf("RAPL, %d counters of %s", len(m.zones), machine.Node())
}

func (m *rapl) Covers() string { return m.covers }

func (m *rapl) Read() (float64, error) {
	sum := 0.0
	for _, z := range m.zones {
		microjoules, err := z.read()
		if err != nil {
			return 0, err
		}
		sum += float64(microjoules) / 1e6
	}
	return sum, nil
}

func (m *rapl) Close() error { return nil }
