//go:build !linux

package scale

import "syscall"

// Elsewhere a child ends by itself.
func ownGroup() *syscall.SysProcAttr { return nil }
