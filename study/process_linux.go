package study

import (
	"fmt"
	"os"
	"syscall"
)

// ownGroup keeps Ctrl-C on a terminal from the child: it is told once, by this process. Where this process is killed
// the child is told to end, so that it does not go on alone.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// lock takes the folder for this process and its children, until the last of them has ended.
func lock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("study: another g500 scale, or a run that it left, is at work in this folder (%s: %w)",
			path, err)
	}
	return file, nil
}
