package machine

import (
	"bufio"
	"os"
	"runtime"
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
