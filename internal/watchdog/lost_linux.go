// SPDX-License-Identifier: Apache-2.0

package watchdog

import (
	"net"
	"syscall"
	"unsafe"
)

// isUnacknowledged reports whether the other node's system has not acknowledged all bytes sent: it does so whatever
// its processes do.
func isUnacknowledged(conn net.Conn) bool {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	var bytes int32
	_ = raw.Control(func(fd uintptr) {
		_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&bytes)))
	})
	return bytes > 0
}
