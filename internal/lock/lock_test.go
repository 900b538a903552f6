// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"g500/internal/expect"
	"g500/internal/machine"
)

const asHolder = "G500_TEST_LOCK"

// TestMain makes the test a process that takes a lock, prints the error and waits to be killed, if asHolder is set.
func TestMain(m *testing.M) {
	if path := os.Getenv(asHolder); path != "" {
		held, err := Take(path)
		fmt.Println(err)
		_, _ = os.Stdin.Read(make([]byte, 1)) // Go would end a process that waits for nothing
		runtime.KeepAlive(held)
	}
	os.Exit(m.Run())
}

// The holder is named. The file of a killed process does not exclude the next one, which removes it.
func TestLockOfAKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	child := exec.Command(expect.Value(os.Executable())(t))
	child.Env = append(os.Environ(), asHolder+"="+path)
	_, noInput := child.StdinPipe()
	out, err := child.StdoutPipe()
	expect.NoError(t, errors.Join(noInput, err, child.Start()))
	var line string
	fmt.Fscanln(out, &line)
	var held *HeldError
	want := fmt.Sprintf("process %d on %s", child.Process.Pid, machine.Node())
	_, err = Take(path)
	expect.That(t, line == "<nil>" && errors.As(err, &held) && held.Holder == want,
		"the child printed %q; got %v, want the holder %q", line, err, want)
	expect.NoError(t, child.Process.Kill())
	_ = child.Wait()
	expect.NoError(t, expect.Value(Take(path))(t).Release())
	expect.Error(t, expect.Err(os.Stat(path)), "no such file", "the released lock")
}

// Many goroutines take and release the lock. Two never hold it at once.
func TestNeverTwoHolders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var holders, taken atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				l, err := Take(path)
				var held *HeldError
				if errors.As(err, &held) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				expect.Equal(t, holders.Add(1), 1, "holders")
				taken.Add(1)
				holders.Add(-1)
				expect.Error(t, l.Release(), "")
			}
		})
	}
	all.Wait()
	expect.That(t, taken.Load() != 0, "no goroutine took the lock")
}
