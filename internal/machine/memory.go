package machine

import (
	"iter"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Memory is the host's memory, and how much of it its processes can still take without swapping, both in bytes.
// A limit of the control group counts as the host's memory where it is lower.
func Memory() (total, available int64) { return kernel("/").memory() }

// AddressSpace is the limit of this process's address space (ulimit -v), and how much of it is left for data, both in
// bytes; 0 and 0 where there is no limit. It is the process's own, whoever else is on the host.
func AddressSpace() (limit, left int64) { return kernel("/").addressSpace(Cores() + spareThreads) }

// What threads that are started later may take of the address space: Go ends the process with a dump of all goroutines
// where it gets no thread. One has a stack of 8 MiB and an arena of the C library of 64.
const (
	threadSpace  = 72 << 20 // bytes
	spareThreads = 4        // beside one for each core
)

// ProcessMemory is what a process that is alone on its host can take, in bytes: what the host has available, but no
// more than its own limit leaves it.
func ProcessMemory() int64 {
	_, available := Memory()
	if limit, left := AddressSpace(); limit > 0 {
		return min(available, left)
	}
	return available
}

// kernel is the folder below which Linux tells of the host and its processes: / but in tests.
type kernel string

func (k kernel) path(name string) string { return path.Join(string(k), name) }

func (k kernel) memory() (total, available int64) {
	total, available = k.kilobytes("MemTotal"), k.kilobytes("MemAvailable")
	for _, l := range k.cgroupLimits() {
		if l.bytes < total {
			total = l.bytes
		}
		available = max(min(available, l.bytes-l.used), 0)
	}
	return total, available
}

func (k kernel) kilobytes(name string) int64 {
	kb, _ := strconv.ParseInt(strings.TrimSuffix(field(k.path("proc/meminfo"), name), " kB"), 10, 64)
	return kb << 10
}

// cgroupLimit is a limit of memory, and the part of it in use that cannot be reclaimed.
type cgroupLimit struct{ bytes, used int64 }

// hierarchy is where one version of control groups keeps what it knows of memory.
type hierarchy struct {
	controller string // in /proc/self/cgroup
	dir        string
	limit      string // the names of its files
	used       string
	cache      string // page cache that the kernel gives up when memory is wanted, in memory.stat
}

var hierarchies = []hierarchy{
	{"", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
	{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
}

// cgroupLimits are the limits of the process's control group and of all above it, in both versions: a host may have
// one or both.
func (k kernel) cgroupLimits() (all []cgroupLimit) {
	for _, h := range hierarchies {
		for _, dir := range k.groups(h.controller, h.dir) {
			if limit := number(path.Join(dir, h.limit)); limit > 0 {
				cache, _ := strconv.ParseInt(lineAfter(path.Join(dir, "memory.stat"), h.cache), 10, 64)
				all = append(all, cgroupLimit{limit, max(number(path.Join(dir, h.used))-cache, 0)})
			}
		}
	}
	return all
}

// groups are the process's control group in a hierarchy that is mounted at a folder, and all groups above it, by name
// and folder, from the lowest to the highest.
func (k kernel) groups(controller, mount string) iter.Seq2[string, string] {
	return func(yield func(name, dir string) bool) {
		for name := k.group(controller); yield(name, k.path(path.Join(mount, name))) && name != "/"; {
			name = path.Dir(name)
		}
	}
}

// group is the process's control group in a hierarchy. A container may see another part of the tree than the file
// names: what is missing there is passed over on the way up.
func (k kernel) group(controller string) string {
	text, _ := os.ReadFile(k.path("proc/self/cgroup"))
	for line := range strings.Lines(string(text)) { // such as 4:cpu,memory:/job, or 0::/job in version 2
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) == 3 && slices.Contains(strings.Split(part[1], ","), controller) {
			return path.Join("/", part[2])
		}
	}
	return "/"
}

func (k kernel) addressSpace(threads int) (limit, left int64) {
	words := strings.Fields(lineAfter(k.path("proc/self/limits"), "Max address space"))
	if len(words) == 0 {
		return 0, 0
	}
	limit, err := strconv.ParseInt(words[0], 10, 64) // the soft limit, which holds
	if err != nil {
		return 0, 0 // unlimited
	}
	kb, _ := strconv.ParseInt(strings.TrimSuffix(field(k.path("proc/self/status"), "VmSize"), " kB"), 10, 64)
	return limit, max(limit-kb<<10-int64(threads)*threadSpace, 0)
}

// number is the number that a file holds, 0 where it holds none, such as "max": no limit.
func number(name string) int64 {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}
