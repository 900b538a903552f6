package main

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

// Every command ends at a signal, although these would take long or wait for input forever.
func TestEveryCommandEndsAtASignal(t *testing.T) {
	for name, args := range map[string][]string{
		"run, official graph":  {"run", "--scale", "21"},
		"run, kernel both":     {"run", "--scale", "20", "--kernel", "both", "--ranks", "3"},
		"run, graph file":      {"run", "--graph", "file:FIFO,format=mtx"},
		"run, roots":           {"run", "--scale", "10", "--roots", "FIFO"},
		"run, synthetic graph": {"run", "--graph", "road:4000x4000"},
		"run, min-time":        {"run", "--scale", "10", "--keys", "2", "--min-time", "10m"},
		"generate":             {"generate", "--scale", "24", "--output", "DIR/edges"},
		"graph info":           {"graph", "info", "road:4000x4000"},
		"graph info, file":     {"graph", "info", "file:FIFO,format=mtx"},
		"graph convert":        {"graph", "convert", "road:4000x4000", "DIR/road.gr"},
		"graph convert, file":  {"graph", "convert", "file:FIFO,format=mtx", "DIR/road.gr"},
		"lab bfs":              {"lab", "bfs", "--engine", "cpu", "--graph", "road:2000x2000", "--quiet"},
		"lab bfs, file":        {"lab", "bfs", "--engine", "cpu", "--graph", "file:FIFO,format=mtx"},
		"lab color":            {"lab", "color", "--engine", "cpu", "--graph", "road:3000x3000"},
		"validate":             {"validate", "--edges", "DIR/zeros", "--scale", "20", "--tree", "x", "--root", "1"},
		"net":                  {"net", "--repeats", "1000000"},
		"scale, a run":         {"scale", "DIR/study.toml", "--output", "DIR/study"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fifo := filepath.Join(dir, "fifo")
			study := "graph = { scale = [20] }\nranks = [1]\n"
			writeText(t, filepath.Join(dir, "study.toml"), study)
			zeros := filepath.Join(dir, "zeros") // an edge list of that scale, on disk only a few bytes
			if err := errors.Join(os.WriteFile(zeros, nil, 0o644), os.Truncate(zeros, 12<<24)); err != nil {
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
			command := exec.CommandContext(ctx, os.Args[0], args...)
			command.Env = append(os.Environ(), "G500_TEST_AS_PROGRAM=1", "G500_TEST_GRACE=200ms",
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
