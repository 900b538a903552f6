package clitest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// atWork waits until a process opens the FIFO for reading; without a FIFO it waits for a moment.
func atWork(t *testing.T, fifo string) {
	t.Helper()
	if fifo == "" {
		time.Sleep(300 * time.Millisecond)
		return
	}
	for range 3000 {
		if writer, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			t.Cleanup(func() { writer.Close() })
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no process reads %s", fifo)
}

// EndsAtASignal checks that commands of a program end at a signal, although they would take long or wait for input
// forever. FIFO is a pipe without a writer, DIR a folder with study.toml and with zeros, an edge list of scale 20.
func EndsAtASignal(t *testing.T, program string, commands map[string][]string) {
	t.Helper()
	for name, args := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fifo := filepath.Join(dir, "fifo")
			study := []byte("graph = { scale = [20] }\nranks = [1]\n")
			zeros := filepath.Join(dir, "zeros") // on disk only a few bytes
			if err := errors.Join(os.WriteFile(filepath.Join(dir, "study.toml"), study, 0o644),
				os.WriteFile(zeros, nil, 0o644), os.Truncate(zeros, 12<<24)); err != nil {
				t.Fatal(err)
			}
			waitsFor := ""
			for i, arg := range args {
				args[i] = strings.NewReplacer("FIFO", fifo, "DIR", dir).Replace(arg)
				if strings.Contains(arg, "FIFO") {
					waitsFor = fifo
				}
			}
			if waitsFor != "" {
				if err := syscall.Mkfifo(waitsFor, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // against hangs
			defer cancel()
			command := exec.CommandContext(ctx, program, args...)
			command.Env = append(os.Environ(), "G500_TEST_GRACE=200ms",
				"GOMAXPROCS=1") // so that none ends before the signal because of many cores
			var printed bytes.Buffer
			command.Stdout, command.Stderr = &printed, &printed
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			atWork(t, waitsFor)
			if err := command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatalf("it ended by itself: %v\n%s", err, &printed)
			}
			err := command.Wait()
			if err == nil || ctx.Err() != nil {
				t.Errorf("%v, %v: it ended by itself, or not at all\n%.2000s", err, ctx.Err(), &printed)
			}
		})
	}
}
