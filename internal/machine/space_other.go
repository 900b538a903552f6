// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package machine

import (
	"errors"
	"os"
)

// FreeSpace is known on Linux only.
func FreeSpace(string) (bytes int64, known bool) { return 0, false }

// Allocate returns errors.ErrUnsupported.
func Allocate(*os.File, int64) error { return errors.ErrUnsupported }
