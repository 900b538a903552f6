// SPDX-License-Identifier: Apache-2.0

//go:build emulated

package lab

import (
	"fmt"
	"io"
	"syscall"
	"testing"

	"g500/internal/expect"
)

// A process of a plugin is not interrupted from the terminal, and ends with its parent even during an endless search.
func TestEmulatedProcessEndsWithItsParent(t *testing.T) {
	t.Setenv("FAULT", "endless")
	const built, path = "../build/emulated/", "../build/emulated/faulty-emulated.so"
	own := expect.Value(PluginsOf(path))(t)[0]
	c := expect.Value(Child{Program: built + "g500-lab-child-emulated"}.NewPlugin(path, own, 0))(t)
	expect.NoError(t, c.Load(square()))
	expect.NoError(t, c.Prepare(c.Strategies()[0]))
	group, err := syscall.Getpgid(c.process.Process.Pid)
	if err != nil || group == syscall.Getpgrp() {
		t.Errorf("group %d, %v", group, err)
	}
	fmt.Fprintln(c.process.to, "run 0")
	expect.NoError(t, c.process.to.(io.Closer).Close())
	expect.Equal(t, fmt.Sprint(c.process.Wait()), "exit status 1")
	c.process = nil
}
