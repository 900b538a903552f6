package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"g500/bench"
	"g500/comm"
	"g500/record"
)

// grace is the time that a running search, and any other work, may go on after a signal. After it the search is
// abandoned, and any other work is cut off by the end of the process. A variable for tests.
var grace = 5 * time.Second

// stopSignals are the signals that end a command. A closed terminal sends SIGHUP, which a process under nohup ignores.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// untilStopped returns a context that is done at the first signal. A second signal ends the process at once; so does
// the end of grace, with a sentence on errOut, unless the command calls end before.
func untilStopped(errOut io.Writer) (ctx context.Context, end func()) {
	return stoppedWithin(grace, errOut)
}

// stoppedWithin is untilStopped with another time than grace.
func stoppedWithin(limit time.Duration, errOut io.Writer) (ctx context.Context, end func()) {
	ctx, restore := signal.NotifyContext(context.Background(), stopSignals()...)
	keep := context.AfterFunc(ctx, restore)
	forget := after(ctx, limit, func() {
		fmt.Fprintf(errOut, "g500: stopped by a signal; the command did not end within %v\n", limit)
		os.Exit(failure)
	})
	return ctx, func() {
		forget()
		keep()
		restore()
	}
}

// stoppable is a writer that fails when its context is done.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(p)
}

// after calls f in a goroutine of its own when d has passed since ctx was done, unless forget is called before.
func after(ctx context.Context, d time.Duration, f func()) (forget func()) {
	forgotten := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-forgotten:
			return
		}
		select {
		case <-time.After(d):
			f()
		case <-forgotten:
		}
	}()
	return sync.OnceFunc(func() { close(forgotten) })
}

// stop ends a run of this process after a signal.
type stop struct {
	asked   context.Context // done at the signal: the run ends after its search
	overdue context.Context // done at the end of grace: the search is abandoned
	at      whereabouts
}

// newStop returns the stop of a run that has not begun. The first signal requests the end; a second one ends the
// process at once. giveUp is called if the run has not ended in time: at the end of grace, or for a search after twice
// that.
func newStop(giveUp func()) (s *stop, end func()) {
	s = &stop{}
	asked, restore := signal.NotifyContext(context.Background(), stopSignals()...)
	keep := context.AfterFunc(asked, restore)
	overdue, cancel := context.WithCancel(context.Background())
	s.asked, s.overdue = asked, overdue
	forget := []func(){
		after(asked, grace, func() {
			if cancel(); !s.at.searches() {
				giveUp()
			}
		}),
		after(asked, 2*grace, giveUp),
	}
	return s, func() {
		for _, f := range forget {
			f()
		}
		cancel()
		keep()
		restore()
	}
}

// whereabouts is the step in which the run of this process is.
type whereabouts struct {
	silent
	step atomic.Pointer[string]
	done atomic.Bool // a search is on disk, if the run keeps its searches
}

// Step keeps the name.
func (w *whereabouts) Step(name string, _ int64) { w.step.Store(&name) }

// Searched notes that a search is on disk.
func (w *whereabouts) Searched(record.Search, int, int) { w.done.Store(true) }

func (w *whereabouts) name() string {
	if step := w.step.Load(); step != nil {
		return *step
	}
	return "the beginning"
}

func (w *whereabouts) searches() bool {
	return bench.IsSearchStep(w.name())
}

// giveUp ends this process, and with it the run on all ranks, if a step does not end after a signal. The
// searches that are done are on disk.
func (j *job) giveUp() {
	fmt.Fprintf(j.errOut, "g500: stopped by a signal; %s did not end in time\n", j.stop.at.name())
	if j.first.Load() {
		if j.stop.at.done.Load() || j.earlier != nil && j.earlier.Done() > 0 {
			tasks, _ := comm.Launcher()
			j.sayHowToGoOn(tasks)
		}
		if !j.opt.json {
			fmt.Fprintf(j.out, "INVALID: incomplete, the run was interrupted in %s\n", j.stop.at.name())
		}
	}
	os.Exit(failure)
}

// sayHowToGoOn prints the command that resumes a run on the same number of ranks, if the run keeps its searches.
func (j *job) sayHowToGoOn(ranks int) {
	if j.cfg.Output.Dir != "" {
		fmt.Fprintf(j.errOut, "to go on where it was cut off: %sg500 run --resume %s\n", startedBy(ranks), j.cfg.Output.Dir)
	}
}
