//go:build !linux

package machine

import (
	"errors"
	"os"
)

// FreeSpace is known on Linux only.
func FreeSpace(string) (bytes int64, known bool) { return 0, false }

// Allocate gives an open file so many bytes of its file system, without writing them: on Linux only.
func Allocate(*os.File, int64) error { return errors.ErrUnsupported }
