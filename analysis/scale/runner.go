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
	"g500/internal/lists"
	"g500/internal/lock"
	"g500/record"
	"g500/settings"
)

// Runner executes a study in a folder.
type Runner struct {
	Study   Study
	Dir     string
	Only    []int  // runs of these sizes only; none for all
	Program string // g500
	Cores   int    // of this machine, for the threads per rank; 0 if the runs decide
	Watch   Watcher
	Check   func(flags []string) error // checks the flags of a run before the first run begins; nil for no check
}

// Watcher reports the progress of a study. Runs are the i-th of n, from 1.
type Watcher interface {
	// Settled reports the study before its first run, with its threads per rank, the time of its runs that have ended,
	// and the runs that have not.
	Settled(s Study, pace *Pace, left []Planned)
	// Begins reports that a run starts, or is resumed.
	Begins(r Planned, i, n int, resumed bool)
	// Ended reports the result of a run, now or before: nil if it cannot be read; err is nil if the run is valid.
	Ended(r Planned, i, n int, result *record.Run, now bool, err error)
}

// Run executes the plan: it skips finished runs, resumes those that were cut off, and continues after a failed run. It
// returns the number of runs that are not valid. The error is the study's, or reports an interruption by the context,
// which lets the current run end.
func (r Runner) Run(ctx context.Context) (failed int, err error) {
	if err := r.checkFlags(); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return 0, fmt.Errorf("scale: cannot make the folder of the study: %w; name another one with --output", err)
	}
	held, err := r.lockSizes()
	defer func() {
		for _, file := range held {
			file.Close() // the file remains, because a child may still hold it
		}
	}()
	if err != nil {
		return 0, err
	}
	if err := Exclusive(r.Dir, func() error { return r.Study.settle(r.Dir, r.Cores) }); err != nil {
		return 0, err
	}
	plan := r.Plan()
	pace, left := r.left(plan)
	r.Watch.Settled(r.Study, pace, left)
	for i, run := range plan {
		if err := r.one(ctx, held[run.Units], run, i+1, len(plan)); err != nil {
			failed++
		}
		if ctx.Err() != nil {
			return failed, fmt.Errorf("scale: interrupted at run %d of %d (%s): start it again to continue", i+1, len(plan), run)
		}
	}
	return failed, nil
}

// Plan returns the runs of the study's plan that the runner executes.
func (r Runner) Plan() []Planned {
	return lists.Where(r.Study.Plan(), func(run Planned) bool {
		return len(r.Only) == 0 || slices.Contains(r.Only, run.Units)
	})
}

// lockSizes locks each size, so that several processes can run different sizes. The children inherit the files.
func (r Runner) lockSizes() (held map[int]*os.File, err error) {
	held = map[int]*os.File{}
	for _, run := range r.Plan() {
		if held[run.Units] != nil {
			continue
		}
		l, err := lock.Take(filepath.Join(r.Dir, run.size()+".lock"))
		var busy *lock.HeldError
		if err != nil && !errors.As(err, &busy) {
			return held, fmt.Errorf("scale: cannot lock a size of the study: if other users run it, its folder and its lock "+
				"files must be writable for them (umask 002): %w", err)
		}
		if err != nil {
			return held, fmt.Errorf("scale: another g500 scale, or a run that it started, uses %s of this folder: %w",
				run.size(), err)
		}
		held[run.Units] = l.File
	}
	return held, nil
}

// left returns the runs of a plan that have not ended, and the pace of those that have.
func (r Runner) left(plan []Planned) (*Pace, []Planned) {
	pace, left := &Pace{study: r.Study}, []Planned(nil)
	for _, run := range plan {
		at, result, err := progress(filepath.Join(r.Dir, run.String()))
		switch {
		case err != nil: // which its turn reports
		case at == finished:
			pace.Add(run, timeOf(result))
		default:
			left = append(left, run)
		}
	}
	return pace, left
}

// Left checks the study as Run does, and reports it to the watcher. It returns the runs of the study's plan that have
// not ended in its folder, and the pace of those that have. It starts and writes nothing.
func (r Runner) Left() (pace *Pace, left []Planned, err error) {
	if err := cmp.Or(r.checkFlags(), r.Study.admit(r.Dir, r.Cores)); err != nil {
		return nil, nil, err
	}
	pace, left = r.left(r.Plan())
	r.Watch.Settled(r.Study, pace, left)
	return pace, left, nil
}

// checkFlags checks the flags of each run once.
func (r Runner) checkFlags() error {
	for _, run := range r.Plan() {
		if r.Check == nil || run.Repeat > 1 {
			break
		}
		if err := r.Check(r.Study.flagsOf(run, r.Study.configFrom, filepath.Join(r.Dir, run.String()))); err != nil {
			return fmt.Errorf("scale: no run begins, because the settings of %s are wrong: %w", run, err)
		}
	}
	return nil
}

// config returns the configuration file of the runs, "" for none.
func (r Runner) config() string {
	if r.Study.Config == "" {
		return ""
	}
	return filepath.Join(r.Dir, configFile)
}

// one executes one run, unless it is finished.
func (r Runner) one(ctx context.Context, lock *os.File, run Planned, i, n int) error {
	dir := filepath.Join(r.Dir, run.String())
	at, result, err := progress(dir)
	now := err == nil && at != finished
	if now {
		r.Watch.Begins(run, i, n, at == cutOff)
		result, err = r.child(ctx, lock, run, dir, at == cutOff)
	}
	if err == nil {
		err = verdict(run, result)
	}
	r.Watch.Ended(run, i, n, result, now, err)
	return err
}

// verdict returns the reason why a run does not count, nil if it does.
func verdict(want Planned, got *record.Run) error {
	switch {
	case got.Status == record.Inconsistent:
		return fmt.Errorf("scale: %s, or remove the folder to repeat the run", got.Contradiction)
	case got.Status != record.Valid:
		return errors.New(got.Verdict())
	case want.Kernel != "" && want.Kernel != got.KernelSetting():
		return fmt.Errorf("scale: the run has kernel %s and not %s: remove the folder to repeat the run",
			got.KernelSetting(), want.Kernel)
	case want.Axis == Cores && got.Environment.Threads != want.Units:
		return fmt.Errorf("scale: the run had %d threads and not %d: remove the folder to repeat the run",
			got.Environment.Threads, want.Units)
	case got.Scale != want.Scale || got.Ranks != want.Ranks:
		return fmt.Errorf("scale: the run had scale %d and %d ranks: does launch start {ranks} ranks of a "+
			"program with MPI?", got.Scale, got.Ranks)
	}
	return nil
}

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
		if err := os.Remove(filepath.Join(dir, record.File)); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
	return result, replace(filepath.Join(dir, record.File), result.WriteJSON)
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
