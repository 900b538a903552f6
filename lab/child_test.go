// SPDX-License-Identifier: Apache-2.0

//go:build emulated

package lab

import (
	"fmt"
	"syscall"
	"testing"

	"g500/internal/expect"
)

// A process of a plugin is not interrupted from the terminal or by a signal to all processes of a job, and ends with
// its parent even during an endless search.
func TestEmulatedProcessEndsWithItsParent(t *testing.T) {
	t.Setenv("FAULT", "endless")
	const built, path = "../build/emulated/", "../build/emulated/faulty-emulated.so"
	own := expect.Value(PluginsOf(path))(t)[0]
	c := expect.Value(Child{Program: built + "g500-lab-child-emulated"}.NewPlugin(path, own, 0))(t)
	expect.NoError(t, c.Load(square()))
	expect.NoError(t, c.Prepare(c.Strategies()[0]))
	group, err := syscall.Getpgid(c.process.Process.Pid)
	expect.That(t, err == nil && group != syscall.Getpgrp(), "group %d, %v", group, err)
	fmt.Fprintln(c.process.to, "run 0")
	expect.NoError(t, c.process.Process.Signal(syscall.SIGTERM))
	expect.NoError(t, c.process.to.Close())
	expect.Equal(t, fmt.Sprint(c.process.Wait()), "exit status 1")
	c.process = nil
}
