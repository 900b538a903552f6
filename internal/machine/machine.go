package machine

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Host is the host's name, "unknown" where it has none.
func Host() string {
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "unknown"
}

// HostID tells hosts apart, whatever containers on them are called. It changes when the host is started anew.
func HostID() string {
	if id, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		return strings.TrimSpace(string(id))
	}
	return Host()
}

// System is the operating system and the processor architecture.
func System() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Cores is the number of logical processors this process may use.
func Cores() int { return runtime.NumCPU() }

// CPU is the processor's model name.
func CPU() string {
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		return name
	}
	return "unknown"
}

// Memory is the host's memory, and how much of it this process can still take without swapping, both in bytes.
// A limit of the control group counts as the host's memory where it is lower.
func Memory() (total, available int64) {
	total, available = kilobytes("MemTotal"), kilobytes("MemAvailable")
	if limit, used := cgroupMemory(); limit > 0 && limit < total {
		total, available = limit, min(available, limit-used)
	}
	return total, available
}

func kilobytes(name string) int64 {
	kb, _ := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", name), " kB"), 10, 64)
	return kb << 10
}

// cgroupMemory is the memory limit of the process's control group (version 2) and the part of it in use that
// cannot be reclaimed, 0 where there is no limit.
func cgroupMemory() (limit, used int64) {
	group := "/"
	if text, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		if _, path, ok := strings.Cut(strings.TrimSpace(string(text)), "0::"); ok {
			group = path
		}
	}
	for ; ; group = filepath.Dir(group) {
		dir := filepath.Join("/sys/fs/cgroup", group)
		if l := number(filepath.Join(dir, "memory.max")); l > 0 && (limit == 0 || l < limit) {
			limit = l
			used = number(filepath.Join(dir, "memory.current")) - inactiveFile(dir)
		}
		if group == "/" || group == "." {
			return limit, max(used, 0)
		}
	}
}

// inactiveFile is page cache that the kernel gives up when memory is wanted.
func inactiveFile(dir string) int64 {
	n, _ := strconv.ParseInt(lineAfter(filepath.Join(dir, "memory.stat"), "inactive_file "), 10, 64)
	return n
}

func number(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" is 0: no limit
	return n
}

// field is what follows "name :" in the first line of a /proc file that begins with name.
func field(path, name string) string {
	_, value, _ := strings.Cut(lineAfter(path, name), ":")
	return strings.TrimSpace(value)
}

// lineAfter is the rest of the first line that begins with prefix.
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

// OnlineCores is the number of logical processors of the host, of which this process may be bound to a few.
func OnlineCores() int {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return runtime.NumCPU()
	}
	n := 0
	for _, run := range strings.Split(strings.TrimSpace(string(text)), ",") { // such as 0-3,8
		low, high, isRange := strings.Cut(run, "-")
		if !isRange {
			high = low
		}
		a, _ := strconv.Atoi(low)
		b, _ := strconv.Atoi(high)
		n += b - a + 1
	}
	return n
}
