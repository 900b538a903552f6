//go:build !linux

package lock

import (
	"errors"
	"os"
)

// Elsewhere a folder is not guarded.
func exclusive(*os.File) error { return errors.ErrUnsupported }
