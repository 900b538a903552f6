// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

const (
	mib     = 1 << 20
	meminfo = "MemTotal:       8388608 kB\nMemFree:        100 kB\nMemAvailable:   6291456 kB\n" // 8 and 6 GiB
)

// fakeKernel is a kernel with these files and, unless they say otherwise, 8 GiB of memory, of which 6 are available.
func fakeKernel(t *testing.T, files map[string]string) Root {
	t.Helper()
	all := map[string]string{"proc/meminfo": meminfo}
	maps.Copy(all, files)
	return Root(nodeOf(t, all))
}

func TestLimitsOfControlGroups(t *testing.T) {
	const v1, v2 = "sys/fs/cgroup/memory/", "sys/fs/cgroup/"
	for _, c := range []struct {
		name             string
		files            map[string]string
		total, available int64 // MiB
	}{
		{"no control groups", nil, 8192, 6144},
		{"version 2", map[string]string{
			"proc/self/cgroup":         "0::/job/step\n",
			v2 + "job/step/memory.max": "1073741824\n", v2 + "job/step/memory.current": "314572800\n",
			v2 + "job/step/memory.stat": "anon 1\ninactive_file 104857600\n",
		}, 1024, 824},
		{"version 2 without a limit", map[string]string{
			"proc/self/cgroup": "0::/job\n", v2 + "job/memory.max": "max\n", v2 + "job/memory.current": "314572800\n",
		}, 8192, 6144},
		{"version 2, a limit further up", map[string]string{
			"proc/self/cgroup": "0::/job/step/task\n", v2 + "job/step/task/memory.max": "max\n",
			v2 + "job/memory.max": "2147483648\n", v2 + "job/memory.current": "1073741824\n",
		}, 2048, 1024},
		{"version 2, more left below a lower limit than in the group above", map[string]string{
			"proc/self/cgroup":         "0::/job/step\n",
			v2 + "job/step/memory.max": "1073741824\n", v2 + "job/step/memory.current": "0\n",
			v2 + "job/memory.max": "4294967296\n", v2 + "job/memory.current": "4194304000\n",
		}, 1024, 96},
		{"version 1", map[string]string{
			"proc/self/cgroup":                "9:name=systemd:/other\n4:cpu,memory:/job\n0::/\n",
			v1 + "job/memory.limit_in_bytes":  "1073741824\n",
			v1 + "job/memory.usage_in_bytes":  "314572800\n",
			v1 + "job/memory.stat":            "inactive_file 0\ntotal_inactive_file 104857600\n",
			v1 + "memory.limit_in_bytes":      "9223372036854771712\n",
			v1 + "memory.usage_in_bytes":      "9000000000\n",
			v2 + "unified/cgroup.controllers": "\n",
		}, 1024, 824},
		{"version 1 without a limit", map[string]string{
			"proc/self/cgroup":           "4:memory:/\n",
			v1 + "memory.limit_in_bytes": "9223372036854771712\n", v1 + "memory.usage_in_bytes": "9000000000\n",
		}, 8192, 6144},
		{"version 1, in a container that sees its own group as the highest", map[string]string{
			"proc/self/cgroup":           "4:memory:/docker/5b4f3f\n",
			v1 + "memory.limit_in_bytes": "536870912\n", v1 + "memory.usage_in_bytes": "1048576\n",
		}, 512, 511},
		{"a limit that is used up", map[string]string{
			"proc/self/cgroup":    "0::/job\n",
			v2 + "job/memory.max": "1073741824\n", v2 + "job/memory.current": "1073745920\n",
		}, 1024, 0},
	} {
		total, available := fakeKernel(t, c.files).Memory()
		expect.That(t, total == c.total*mib && available == c.available*mib,
			"%s: %d MiB, %d of them available; want %d and %d", c.name, total/mib, available/mib, c.total, c.available)
	}
}

func TestLimitOfTheAddressSpace(t *testing.T) {
	const head = "Limit                     Soft Limit           Hard Limit           Units     \n"
	for _, c := range []struct {
		name, limits string
		limit, left  int64 // MiB
	}{
		{"no limit", head + "Max address space         unlimited            unlimited            bytes     \n", 0, 0},
		{"ulimit -v", head + "Max address space         2147483648           unlimited            bytes     \n",
			2048, 1264},
		{"less than is taken", head + "Max address space         268435456            268435456            bytes     \n",
			256, 0},
		{"an empty file", "", 0, 0},
	} {
		k := fakeKernel(t, map[string]string{
			"proc/self/limits": c.limits, "proc/self/status": "Name:\tg500\nVmPeak:\t  900000 kB\nVmSize:\t  524288 kB\n",
		})
		limit, left := k.addressSpace(2)
		expect.Equal(t, [2]int64{limit, left}, [2]int64{c.limit * mib, c.left * mib}, c.name, "limit and left")
	}
}

func TestQuotasOfControlGroups(t *testing.T) {
	const v1, both, v2 = "sys/fs/cgroup/cpu/", "sys/fs/cgroup/cpu,cpuacct/", "sys/fs/cgroup/"
	for _, c := range []struct {
		name  string
		files map[string]string
		cores float64
		group string
	}{
		{"no control groups", nil, 0, ""},
		{"version 2", map[string]string{
			"proc/self/cgroup": "0::/job\n", v2 + "job/cpu.max": "150000 100000\n",
		}, 1.5, "/job"},
		{"version 2 without a quota", map[string]string{
			"proc/self/cgroup": "0::/job\n", v2 + "job/cpu.max": "max 100000\n",
		}, 0, ""},
		{"version 2, a lower quota further up", map[string]string{
			"proc/self/cgroup":      "0::/job/step\n",
			v2 + "job/step/cpu.max": "800000 100000\n", v2 + "job/cpu.max": "200000 50000\n",
		}, 4, "/job"},
		{"version 2, in a container that sees its own group as the highest", map[string]string{
			"proc/self/cgroup": "0::/\n", v2 + "cpu.max": "50000 100000\n",
		}, 0.5, "/"},
		{"version 1", map[string]string{
			"proc/self/cgroup":          "4:cpu,cpuacct:/docker/5b4f3f\n0::/\n",
			v1 + "cpu.cfs_quota_us":     "-1\n",
			v1 + "cpu.cfs_period_us":    "100000\n",
			both + "cpu.cfs_quota_us":   "300000\n",
			both + "cpu.cfs_period_us":  "100000\n",
			v1 + "other/cpu.cfs_period": "1\n",
		}, 3, "/"},
		{"version 1 without a quota", map[string]string{
			"proc/self/cgroup": "4:cpu:/\n", v1 + "cpu.cfs_quota_us": "-1\n", v1 + "cpu.cfs_period_us": "100000\n",
		}, 0, ""},
	} {
		cores, group := fakeKernel(t, c.files).Quota()
		expect.Equal(t, []any{cores, group}, []any{c.cores, c.group}, c.name, "cores, group")
	}
}

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
	expect.Equal(t, l.Others(), 0.375)
	write("cpu  200 0 100 1000 50 0 0 0 90 0\n", "10 20 0 0")
	expect.Equal(t, l.Others(), 0)
}

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
		expect.That(t, (got == "") == (c.want == "") && strings.Contains(got, c.want) && len(texts) <= 1,
			"%s: %q, want %q", c.name, got, c.want)
	}
}
