package machine

import (
	"bufio"
	"os"
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
