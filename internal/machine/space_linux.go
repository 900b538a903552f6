// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"errors"
	"os"
	"syscall"
)

// FreeSpace returns the free bytes of the file system of a folder; known is false if the file system does not report
// them. Quotas are not considered.
func FreeSpace(dir string) (bytes int64, known bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil || fs.Blocks == 0 {
		return 0, false
	}
	return int64(fs.Bavail) * fs.Bsize, true
}

// Allocate reserves space for an open file, without writing it. It returns errors.ErrUnsupported if the file system
// cannot do that.
func Allocate(file *os.File, bytes int64) error {
	for {
		err := syscall.Fallocate(int(file.Fd()), 0, 0, bytes)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
