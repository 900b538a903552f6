// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"g500/internal/infile"
	"g500/record"
	"g500/settings"
)

// patience is the time that a run has to end after a signal, for a search and its validation, before it is killed.
const patience = time.Minute

// prompt precedes the command in a log.
const prompt = "$ "

var errLimit = errors.New("the study's limit is over")

// child executes "g500 run" in a process of its own and reads the stored run. If the run could not store the reason of
// its end, child does.
func (r Runner) child(ctx context.Context, lock *os.File, run Planned, dir string, resume bool) (*record.Run, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("scale: %w", err)
	}
	if !resume {
		if err := os.Remove(filepath.Join(dir, runFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("scale: %w", err)
		}
	}
	command := r.Study.command(r.Program, r.config(), dir, run, resume)
	log := filepath.Join(dir, logFile)
	ended := r.execute(ctx, lock, command, log)
	result, err := record.Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		search := settings.Default().Search
		search.Kernel = cmp.Or(run.Kernel, search.Kernel)
		result = &record.Run{
			Scale: run.Scale, Ranks: run.Ranks, Kernels: record.NewKernelRuns(search),
			Failure:     fmt.Sprintf("it did not begin (%v), see its %s: %s", ended, logFile, lastLine(log)),
			Environment: record.Environment{Command: command},
		}
	case err != nil:
		return nil, err
	case result.Status == record.Incomplete && (result.Failure == "" || errors.Is(ended, errLimit)):
		result.Failure = fmt.Sprintf("it ended early (%v): %s", ended, lastLine(log))
	default:
		return result, nil
	}
	result.Settle()
	return result, replace(filepath.Join(dir, runFile), result.WriteJSON)
}

// execute executes a command, and appends its output to the log.
func (r Runner) execute(ctx context.Context, lock *os.File, command []string, log string) error {
	if r.Study.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.Study.Limit))
		defer cancel()
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer out.Close()
	fmt.Fprintf(out, prompt+"%s\n", strings.Join(command, " "))
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Stdout, child.Stderr = out, out // files, so that the child can write if this process is killed
	child.ExtraFiles = []*os.File{lock}   // a child that outlives this process holds the lock
	child.SysProcAttr = ownGroup()
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = patience
	runtime.LockOSThread() // the child is signalled when the thread that started it ends
	defer runtime.UnlockOSThread()
	err = child.Run()
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errLimit
	}
	return err
}

// lastLine returns the last line of a log with a word, after the command itself.
func lastLine(log string) string {
	text, err := infile.Small(log, "the log", infile.Records)
	if err != nil {
		return err.Error()
	}
	for _, line := range slices.Backward(strings.Split(string(text), "\n")) {
		if strings.HasPrefix(line, prompt) {
			break
		}
		if strings.ContainsFunc(line, unicode.IsLetter) {
			return infile.Clean(strings.TrimSpace(line))
		}
	}
	return "it printed nothing"
}
