// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Node returns the name of the node, "unknown" if it has none.
func Node() string {
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "unknown"
}

// NodeID returns an identity of the node, the same in all containers. It changes when the node restarts.
func NodeID() string { return cmp.Or(Here.text("proc/sys/kernel/random/boot_id"), Node()) }

// process is the result of Process.
var process = rand.Text()

// Process returns an identity of this process among those of all nodes. Process numbers are none, because containers on
// one node may have the same numbers.
func Process() string { return process }

// System returns the operating system and the processor architecture.
func System() string { return runtime.GOOS + "/" + runtime.GOARCH }

// CPU returns the processor's model name.
func CPU() string { return cmp.Or(field("/proc/cpuinfo", "model name"), "unknown") }

// field returns the text after "name :" in the first line of a /proc file that begins with name.
func field(path, name string) string {
	_, value, _ := strings.Cut(lineAfter(path, name), ":")
	return strings.TrimSpace(value)
}

// lineAfter returns the rest of the first line of a file that begins with prefix.
func lineAfter(path, prefix string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), prefix); ok {
			return rest
		}
	}
	return ""
}

// Cores returns the number of threads that this process can run at once: GOMAXPROCS if the user has set it, else the
// logical processors to which it is bound, or the CPU quota of its control group, rounded up, if that is lower.
func Cores() int {
	if n := GoMaxProcs(); n > 0 {
		return n
	}
	if quota, _ := Here.Quota(); quota > 0 {
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

// OnlineCores returns the number of logical processors of the node.
func OnlineCores() int {
	return cmp.Or(len(numbers(Here.text("sys/devices/system/cpu/online"))), runtime.NumCPU())
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

// Quota returns the lowest CPU quota of this process's control group and its ancestors, in cores, and the name of the
// group that has it; 0 and "" without a quota. All processes of the group share the quota.
func (k Root) Quota() (cores float64, group string) {
	lower := func(runtime, period int64, in string) {
		if runtime > 0 && period > 0 {
			if q := float64(runtime) / float64(period); cores == 0 || q < cores {
				cores, group = q, in
			}
		}
	}
	for g, dir := range k.groups("", "sys/fs/cgroup") {
		words := strings.Fields(dir.text("cpu.max")) // runtime and period in microseconds, or "max" and a period
		if len(words) == 2 {
			runtime, _ := strconv.ParseInt(words[0], 10, 64)
			period, _ := strconv.ParseInt(words[1], 10, 64)
			lower(runtime, period, g)
		}
	}
	for _, mount := range []string{"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"} {
		for g, dir := range k.groups("cpu", mount) {
			lower(dir.number("cpu.cfs_quota_us"), dir.number("cpu.cfs_period_us"), g)
		}
	}
	return cores, group
}
