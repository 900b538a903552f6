package scale

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"g500/internal/lock"
	"g500/record"
)

// Runner works through a study in a folder.
type Runner struct {
	Study   Study
	Dir     string
	Program string // g500
	Watch   Watcher
}

// Watcher is told what becomes of the i-th of n runs, from 1.
type Watcher interface {
	// Begins tells that a run starts, or goes on where it was cut off.
	Begins(r Run, i, n int, resumed bool)
	// Ended tells what a run has come to. It ran now, or before. The run is nil, and err tells why, where nothing can
	// be known of it; err is nil where the run is valid.
	Ended(r Run, i, n int, result *record.Run, now bool, err error)
}

// Run works through the plan: what is finished is skipped, what was cut off is resumed, and a run that fails does not
// keep the next from running. It returns how many runs of the study are not valid. The error is that of the study
// itself, or the context's, which ends the run that it interrupts in good order.
func (r Runner) Run(ctx context.Context) (failed int, err error) {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return 0, fmt.Errorf("scale: cannot make the folder of the study: %w", err)
	}
	held, err := lock.Take(filepath.Join(r.Dir, lockFile))
	if err != nil {
		return 0, fmt.Errorf("scale: another g500 scale, or a run that it left, is at work in this folder: %w", err)
	}
	defer held.File.Close() // which leaves the file: a child may still hold it
	if err := r.Study.settle(r.Dir); err != nil {
		return 0, err
	}
	plan := r.Study.Plan()
	for i, run := range plan {
		if err := r.one(ctx, held.File, run, i+1, len(plan)); err != nil {
			failed++
		}
		if ctx.Err() != nil {
			return failed, fmt.Errorf("scale: interrupted at run %d of %d (%s): start it again to go on", i+1, len(plan), run)
		}
	}
	return failed, nil
}

// one brings one run to its end, if it is not there.
func (r Runner) one(ctx context.Context, lock *os.File, run Run, i, n int) error {
	dir := filepath.Join(r.Dir, run.String())
	at, result, err := look(dir)
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

// verdict says why a run does not count, nil if it does.
func verdict(want Run, got *record.Run) error {
	switch {
	case got.Status == record.Inconsistent:
		return fmt.Errorf("scale: %s: remove the folder to repeat the run", got.Contradiction)
	case got.Status != record.Valid:
		return errors.New(got.Verdict())
	case want.Kernel != "" && want.Kernel != got.KernelSetting():
		return fmt.Errorf("scale: the run is of kernel %s and not of %s: remove the folder to repeat the run",
			got.KernelSetting(), want.Kernel)
	case got.Scale != want.Scale || got.Ranks != want.Ranks:
		return fmt.Errorf("scale: the run had scale %d and %d ranks: does launch start as many as {ranks} says, "+
			"of a program with MPI?", got.Scale, got.Ranks)
	}
	return nil
}
