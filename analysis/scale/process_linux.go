// SPDX-License-Identifier: Apache-2.0

package scale

import "syscall"

// ownGroup returns attributes that protect the child from Ctrl-C on a terminal, because this process signals it, and
// that signal the child if this process is killed.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
