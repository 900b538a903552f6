// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"strings"
	"testing"
)

// Each cause of a low rate is the only diagnosis on a node of 8 GiB; a node without a cause has none.
func TestEachCauseOfALowRateIsNamed(t *testing.T) {
	const v2 = "sys/fs/cgroup/"
	swap := func(free string) map[string]string {
		return map[string]string{"proc/meminfo": meminfo + "SwapTotal: 4194304 kB\nSwapFree: " + free + " kB\n"}
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		load  Load
		cores cores
		want  string // "" for no diagnosis
	}{
		{"nothing", nil, Load{64, 1}, cores{64, 64}, ""},
		{"bound to one core", nil, Load{1, 2}, cores{1, 64}, "bound to 1 of 64 cores: with mpirun use --bind-to none"},
		{"one core for each rank", nil, Load{1, 64}, cores{1, 64}, ""},
		{"a machine of one core", nil, Load{1, 1}, cores{1, 1}, ""},
		{"some of the cores", nil, Load{16, 4}, cores{16, 64}, ""},
		{"more threads than cores", nil, Load{32, 4}, cores{16, 64}, "bound to 16 of 64 cores, with 32 threads per rank"},
		{"a core for each thread", nil, Load{16, 4}, cores{64, 64}, ""},
		{"more ranks than cores", nil, Load{1, 4}, cores{2, 2}, "4 threads (1 per rank) share the node's 2 cores"},
		{"more ranks than cores, bound", nil, Load{1, 65}, cores{1, 64}, "65 threads (1 per rank) share the node's 64 cores"},
		{"a quota", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "cpu.max": "150000 100000\n"}, Load{2, 1},
			cores{64, 64}, "CPU quota of the control group is 1.5 of 64 cores, and the default of --threads follows"},
		{"a quota of all cores", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "cpu.max": "400000 100000\n"},
			Load{4, 1}, cores{4, 64}, ""},
		{"a memory limit", map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "2147483648\n"}, Load{4, 1},
			cores{4, 4}, "memory limit of the control group is 2 GiB of 8 GiB"},
		{"a memory limit that leaves some to the system", map[string]string{
			"proc/self/cgroup": "0::/\n", v2 + "memory.max": "8053063680\n"}, Load{4, 1}, cores{4, 4}, ""},
		{"swap in use", swap("1048576"), Load{4, 1}, cores{4, 4}, "3 GiB of the node's memory is in swap space"},
		{"a few pages in swap", swap("4190000"), Load{4, 1}, cores{4, 4}, ""},
	} {
		var texts []string
		for _, d := range fakeKernel(t, c.files).diagnose(c.load, c.cores) {
			texts = append(texts, d.Text)
		}
		got := strings.Join(texts, "; ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || len(texts) > 1 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
