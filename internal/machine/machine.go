// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"os"
	"runtime"
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
func NodeID() string {
	if id, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		return strings.TrimSpace(string(id))
	}
	return Node()
}

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
