// SPDX-License-Identifier: Apache-2.0

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package lock

import (
	"errors"
	"os"
)

// exclusive locks nothing: Go has no flock on this system, and the lock says that it is unguarded.
func exclusive(*os.File) error { return errors.ErrUnsupported }
