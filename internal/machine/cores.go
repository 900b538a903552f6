// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"math"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// Cores returns the number of threads that this process can run at once: GOMAXPROCS if the user has set it, else the
// logical processors to which it is bound, or the CPU quota of its control group, rounded up, if that is lower.
func Cores() int {
	if n := GoMaxProcs(); n > 0 {
		return n
	}
	if quota, _ := Quota(); quota > 0 {
		return min(BoundCores(), int(math.Ceil(quota)))
	}
	return BoundCores()
}

// GoMaxProcs returns the value of the environment variable GOMAXPROCS, 0 without one.
func GoMaxProcs() int {
	n, _ := strconv.Atoi(os.Getenv("GOMAXPROCS"))
	return max(n, 0)
}

// BoundCores returns the number of logical processors to which this process is bound; all of the node if it is unbound.
func BoundCores() int { return runtime.NumCPU() }

// Bound lists the logical processors to which this process is bound, such as "0-3,8"; "" if they are unknown. Processes
// with the same list share them.
func Bound() string { return field("/proc/self/status", "Cpus_allowed_list") }

// Quota returns the lowest CPU quota of this process's control group and its ancestors, in cores, and the name of the
// group that has it; 0 and "" without a quota. All processes of the group share the quota.
func Quota() (cores float64, group string) { return kernel("/").quota() }

// OnlineCores returns the number of logical processors of the node.
func OnlineCores() int {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return runtime.NumCPU()
	}
	return len(numbers(strings.TrimSpace(string(text))))
}

// numbers returns the elements of a list of numbers, such as 0-3,8; none for other texts.
func numbers(list string) (all []int) {
	for _, run := range strings.Split(list, ",") {
		low, high, isRange := strings.Cut(run, "-")
		if !isRange {
			high = low
		}
		a, err := strconv.Atoi(low)
		b, _ := strconv.Atoi(high)
		for n := a; err == nil && n <= b; n++ {
			all = append(all, n)
		}
	}
	return all
}

// quota is Quota, for both versions of control groups.
func (k kernel) quota() (cores float64, group string) {
	lower := func(runtime, period int64, in string) {
		if runtime > 0 && period > 0 {
			if q := float64(runtime) / float64(period); cores == 0 || q < cores {
				cores, group = q, in
			}
		}
	}
	for g, dir := range k.groups("", "sys/fs/cgroup") {
		text, _ := os.ReadFile(path.Join(dir, "cpu.max")) // runtime and period in microseconds, or "max" and a period
		words := strings.Fields(string(text))
		if len(words) == 2 {
			runtime, _ := strconv.ParseInt(words[0], 10, 64)
			period, _ := strconv.ParseInt(words[1], 10, 64)
			lower(runtime, period, g)
		}
	}
	for _, mount := range []string{"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"} {
		for g, dir := range k.groups("cpu", mount) {
			lower(number(path.Join(dir, "cpu.cfs_quota_us")), number(path.Join(dir, "cpu.cfs_period_us")), g)
		}
	}
	return cores, group
}
