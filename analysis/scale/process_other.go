// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package scale

import "syscall"

// ownGroup is not available on other systems.
func ownGroup() *syscall.SysProcAttr { return nil }
