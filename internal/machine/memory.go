// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
)

// AddressSpace returns the limit of this process's address space (ulimit -v), and the part of it that is left for data,
// both in bytes; 0 and 0 without a limit.
func AddressSpace() (limit, left int64) { return Here.addressSpace(Cores() + spareThreads) }

// Address space that is reserved for later threads, because Go ends the process if it cannot start a thread. A thread
// has a stack of 8 MiB and an arena of the C library, which takes 128 MiB to align the 64 MiB that it keeps.
const (
	threadSpace  = 136 << 20 // bytes per thread
	spareThreads = 4         // in addition to one per core
)

// ProcessMemory returns the bytes that a process can allocate if it is alone on its node: the node's available memory,
// or the rest of the process's own limit if that is lower.
func ProcessMemory() int64 {
	_, available := Here.Memory()
	if limit, left := AddressSpace(); limit > 0 {
		return min(available, left)
	}
	return available
}

// Root is the folder of Linux's proc and sys, or another folder of such files.
type Root string

// Here is the root of this node.
const Here Root = "/"

func (k Root) path(elements ...string) string { return path.Join(string(k), path.Join(elements...)) }

// Memory returns the node's memory, and the part that processes can still allocate without swapping, both in bytes. A
// lower limit of the process's control group or an ancestor, in either version of control groups, replaces the node's
// memory.
func (k Root) Memory() (total, available int64) {
	total, available = k.kilobytes("MemTotal"), k.kilobytes("MemAvailable")
	for _, h := range hierarchies {
		for _, dir := range k.groups(h.controller, h.dir) {
			if limit := dir.number(h.limit); limit > 0 {
				cache, _ := strconv.ParseInt(lineAfter(dir.path("memory.stat"), h.cache), 10, 64)
				used := max(dir.number(h.used)-cache, 0)
				total, available = min(total, limit), max(min(available, limit-used), 0)
			}
		}
	}
	return total, available
}

func (k Root) kilobytes(name string) int64 {
	kb, _ := strconv.ParseInt(strings.TrimSuffix(field(k.path("proc/meminfo"), name), " kB"), 10, 64)
	return kb << 10
}

// hierarchy has the files of one version of control groups about memory.
type hierarchy struct {
	controller string // in /proc/self/cgroup
	dir        string
	limit      string // file name
	used       string // file name
	cache      string // name of the page cache that the kernel can reclaim, in memory.stat
}

var hierarchies = []hierarchy{
	{"", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
	{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
}

// groups yields the names and folders of the process's control group in a hierarchy that is mounted at a folder, and of
// its ancestors, from the lowest to the highest.
func (k Root) groups(controller, mount string) iter.Seq2[string, Root] {
	return func(yield func(name string, dir Root) bool) {
		for name := k.group(controller); yield(name, Root(k.path(mount, name))) && name != "/"; {
			name = path.Dir(name)
		}
	}
}

// group returns the process's control group in a hierarchy. In a container the group may not exist below the mount
// point; then only its existing ancestors have limits.
func (k Root) group(controller string) string {
	for line := range strings.Lines(k.text("proc/self/cgroup")) { // such as 4:cpu,memory:/job, or 0::/job in version 2
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) == 3 && slices.Contains(strings.Split(part[1], ","), controller) {
			return path.Join("/", part[2])
		}
	}
	return "/"
}

func (k Root) addressSpace(threads int) (limit, left int64) {
	words := strings.Fields(lineAfter(k.path("proc/self/limits"), "Max address space"))
	if len(words) == 0 {
		return 0, 0
	}
	limit, err := strconv.ParseInt(words[0], 10, 64) // the soft limit, which is enforced
	if err != nil {
		return 0, 0 // unlimited
	}
	kb, _ := strconv.ParseInt(strings.TrimSuffix(field(k.path("proc/self/status"), "VmSize"), " kB"), 10, 64)
	return limit, max(limit-kb<<10-int64(threads)*threadSpace, 0)
}

// number returns the number in a file, 0 if it has none, such as "max" for no limit.
func (k Root) number(name string) int64 {
	n, _ := strconv.ParseInt(k.text(name), 10, 64)
	return n
}
