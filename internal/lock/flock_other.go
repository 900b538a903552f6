// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package lock

import (
	"errors"
	"os"
)

// exclusive is not implemented on other systems.
func exclusive(*os.File) error { return errors.ErrUnsupported }
