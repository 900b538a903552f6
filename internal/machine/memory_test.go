// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"maps"
	"testing"
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
		if total != c.total*mib || available != c.available*mib {
			t.Errorf("%s: %d MiB, %d of them available; want %d and %d",
				c.name, total/mib, available/mib, c.total, c.available)
		}
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
		if limit, left := k.addressSpace(2); limit != c.limit*mib || left != c.left*mib {
			t.Errorf("%s: limit %d MiB, %d left; want %d and %d", c.name, limit/mib, left/mib, c.limit, c.left)
		}
	}
}
