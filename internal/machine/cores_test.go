// SPDX-License-Identifier: Apache-2.0

package machine

import "testing"

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
		if cores, group := fakeKernel(t, c.files).Quota(); cores != c.cores || group != c.group {
			t.Errorf("%s: %v cores of group %q, want %v of %q", c.name, cores, group, c.cores, c.group)
		}
	}
}

func TestListsOfProcessorsAreCounted(t *testing.T) {
	for list, want := range map[string]int{"0": 1, "0-3": 4, "0-3,8": 5, "1,3,5-6": 4, "": 0} {
		if got := numbers(list); len(got) != want {
			t.Errorf("%s: %d, want %d", list, got, want)
		}
	}
}
