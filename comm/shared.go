// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"os"
	"slices"
	"syscall"
	"unsafe"
)

// sharedFiles is a folder of files in memory.
var sharedFiles = "/dev/shm"

// SharedWords returns n words of memory, all 0, that the ranks of a node share, and a function that frees them on this
// rank. It returns none if the ranks are on several nodes, or if a system refuses such memory. It is collective.
func SharedWords(t Transport, n int) (words []uint64, release func() error, err error) {
	if n == 0 || slices.Max(t.Nodes()) > 0 {
		return nil, nil, nil
	}
	var file *os.File
	path := "" // if this is another rank, or if there is no file
	if t.Rank() == 0 {
		if file = newSharedFile(8 * n); file != nil {
			path = file.Name()
			defer os.Remove(path)
		}
	}
	paths, err := Gathered(t, path)
	if err != nil {
		return nil, nil, err
	}
	var memory []byte
	if file == nil && paths[0] != "" {
		file, _ = os.OpenFile(paths[0], os.O_RDWR, 0)
	}
	if file != nil {
		memory, _ = syscall.Mmap(int(file.Fd()), 0, 8*n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		file.Close()
	}
	release = func() error { return syscall.Munmap(memory) }
	least, err := Reduce(t, int64(len(memory)), Min)
	if err != nil || least == 0 {
		if memory != nil {
			release()
		}
		return nil, nil, err
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&memory[0])), n), release, nil
}

// newSharedFile returns a file of zeros in memory, or nil. The zeros are written, because a process that uses a page
// that the system then lacks would end.
func newSharedFile(bytes int) *os.File {
	file, err := os.CreateTemp(sharedFiles, "g500-")
	if err != nil {
		return nil
	}
	if _, err := file.Write(make([]byte, bytes)); err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil
	}
	return file
}
