// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// sharedFile is a file in memory (memfd_create) of a process of this node. It is in no folder, so it ends with the
// processes that use it, however they end.
type sharedFile struct {
	Path          string // among the files that the process has open; in a container there may be another file
	Device, Inode uint64
}

// newSharedFile returns a file of zeros, with memory for all of them, or an empty path if the system refuses it.
func newSharedFile(bytes int) (made sharedFile, remove func()) {
	fd, err := unix.MemfdCreate("g500", unix.MFD_CLOEXEC)
	if err != nil {
		return made, func() {}
	}
	var stat unix.Stat_t
	if unix.Fallocate(fd, 0, 0, int64(bytes)) == nil && unix.Fstat(fd, &stat) == nil {
		made = sharedFile{fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd), stat.Dev, stat.Ino}
	}
	return made, func() { unix.Close(fd) }
}

// mapped returns the memory of the file, or none if the system refuses it, and a function that unmaps it.
func (f sharedFile) mapped(bytes int) (memory []byte, unmap func() error) {
	unmap = func() error { return nil }
	var stat unix.Stat_t
	if unix.Stat(f.Path, &stat) != nil || (sharedFile{f.Path, stat.Dev, stat.Ino}) != f || stat.Size != int64(bytes) {
		return nil, unmap
	}
	fd, err := unix.Open(f.Path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, unmap
	}
	defer unix.Close(fd)
	memory, err = unix.Mmap(fd, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, unmap
	}
	return memory, func() error { return unix.Munmap(memory) }
}
