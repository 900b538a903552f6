package scale

import "syscall"

// ownGroup keeps Ctrl-C on a terminal from the child: it is told once, by this process. Where this process is killed
// the child is told to end, so that it does not go on alone.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
