// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/machine"
	"g500/internal/panics"
	"g500/internal/timeout"
	"g500/internal/watchdog"
	"g500/record"
)

// quiet is the time without progress after which the watchdog compares the ranks. Tests shorten it.
var quiet = timeout.Quiet

// guard starts this rank's watchdog, which reports stalled ranks and ends the job if a rank is silent. unguard ends it.
// It is collective.
func (j *job) guard(t comm.Transport, log rankLog) (unguard func(), err error) {
	reports := watchdog.Reports{
		Stalled: func(why string) {
			log.Stalled(why)
			if shown := j.shown.Load(); shown != nil && t.Rank() == 0 {
				(*shown).Stalled(why)
			} else {
				fmt.Fprintf(j.errOut, "note: rank %d: %s\n", t.Rank(), why)
			}
		},
		End: func(why string) {
			log.Say("ended by the watchdog: %s", cmp.Or(why, "another rank is silent or has ended"))
			if why != "" {
				j.explain(why + ": look at its output and its node (dmesg); --wait-for-silent waits for a stopped rank")
			}
		},
		Exit: func() { os.Exit(failure) },
	}
	if j.opt.waitForSilent {
		reports.End = nil
	}
	dog, err := joinWatchdog(t, &j.ranks, reports)
	if err != nil {
		return nil, err
	}
	j.dog.Store(dog)
	return dog.Close, nil
}

// joinWatchdog starts the watchdog of a rank. It is collective.
func joinWatchdog(t comm.Transport, ranks *watchdog.Ranks, to watchdog.Reports) (*watchdog.Watchdog, error) {
	exchange := func(text string) ([]string, error) { return comm.Gathered(t, text) }
	return watchdog.Join(t.Rank(), ranks, quiet, exchange, to)
}

// watched calls a function for each rank, under a watchdog that prints on errOut, for commands without a log of ranks.
// step names the work of the ranks.
func (l launch) watched(errOut io.Writer, step string, rank func(comm.Transport) error) error {
	var ranks watchdog.Ranks
	return l(func(t comm.Transport) error {
		self := ranks.Self(t.Rank())
		self.Begin(step)
		t = comm.Advancing(comm.Counted(t, &self.Collectives), func(done, _ int64) { self.Work.Store(done) })
		dog, err := joinWatchdog(t, &ranks, watchdog.Reports{
			Stalled: func(why string) {
				fmt.Fprintf(errOut, "note: rank %d: %s\n", t.Rank(), cmp.Or(why, "the command continues"))
			},
			End: func(why string) {
				if why != "" {
					fmt.Fprintf(errOut, "g500: %s: look at its output and its node (dmesg)\n", why)
				}
			},
			Exit: func() { os.Exit(failure) },
		})
		if err != nil {
			return err
		}
		defer dog.Close()
		return rank(t)
	})
}

// failing is called before this rank fails alone: another rank may be silent, or fail at the same time. If the rank
// does not end in time, because its GPU waits for other ranks, its process ends.
func (j *job) failing(t comm.Transport, err error) {
	if !j.transport.Tasks {
		return // the other ranks are in this process
	}
	if dog := j.dog.Load(); dog != nil && !j.opt.waitForSilent {
		dog.Failing()
	}
	time.AfterFunc(timeout.Unwinding, func() {
		why := (&comm.RankError{Rank: t.Rank(), Err: err, Node: machine.Node()}).Error()
		panics.Catch(func() { j.giveUp(why) }, func(error) { os.Exit(failure) })
	})
}

// watchFor returns the watcher of this rank's run: its log, the position for the watchdog and, on rank 0, the progress
// on errOut. Log and progress show signals at once. unwatch ends it.
func (j *job) watchFor(t comm.Transport, log rankLog) (watch bench.Watcher, unwatch func()) {
	all := bench.Watchers{log}
	hide := func() {}
	if t.Rank() == 0 {
		shown := cli.NewProgress(j.errOut, j.opt.quiet, cli.Silence)
		if ctrlC := cli.OnTerminal(j.errOut) && comm.Launched().Name == ""; !j.opt.quiet && !ctrlC {
			fmt.Fprintf(j.errOut, "process %d on node %s: kill -TERM %[1]d there ends the run after its search\n",
				os.Getpid(), machine.Node())
		}
		if !j.opt.quiet && j.cfg.Output.Dir == "" && j.opt.reference == nil {
			fmt.Fprintln(j.errOut, "the run stores nothing: --output DIR stores it for reports, submissions and --resume")
		}
		j.first.Store(true)
		j.shown.Store(&shown)
		all, hide = append(all, shown), func() { j.shown.Store(nil); shown.Close() }
	}
	all = append(all, place{nil, j.ranks.Self(t.Rank()), j.stop})
	noted := make(chan error, 1)
	forget := context.AfterFunc(j.stop.asked, func() {
		panics.Catch(func() {
			if dog := j.dog.Load(); dog != nil {
				dog.EndWithOthers()
			}
			all.Note(fmt.Sprintf("stopped by a signal: the run ends after the running search, which is abandoned after %v, "+
				"and outside searches at once", cli.Grace))
		}, func(fault error) { noted <- fault })
	})
	return all, func() {
		if !forget() {
			panics.Raise(<-noted) // the note must precede the end
		}
		hide()
	}
}

// place stores the position of the rank for the watchdog, and of the process.
type place struct {
	bench.Watchers
	self *watchdog.Self
	stop *stop
}

func (p place) Step(name string, _ int64) { p.self.Begin(name); p.stop.step.Store(&name) }
func (p place) Advance(done int64)        { p.self.Work.Store(done) }
func (p place) Searched(s record.Search, i, n int) {
	p.stop.searched.Store(true)
	if i < n {
		p.self.Begin(fmt.Sprintf("search %d/%d", i+1, n))
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

// stop ends a run of this process after a signal.
type stop struct {
	asked   context.Context // done at the signal; the run ends after its search
	overdue context.Context // done at the end of cli.Grace; the search is abandoned

	step     atomic.Pointer[string] // the current one of the run in this process
	searched atomic.Bool            // a search is on disk, if the run has an output folder
}

// newStop returns the stop of a run. The first signal requests the end; a second signal ends the process at once.
// giveUp is called if the run has not ended in time: after cli.Grace or, during a search, after 2*cli.Grace.
func newStop(giveUp func()) (s *stop, end func()) {
	s = &stop{}
	asked, restore := cli.Signalled()
	overdue, cancel := context.WithCancel(context.Background())
	s.asked, s.overdue = asked, overdue
	forget := cli.After(asked, cli.Grace, func() {
		if cancel(); !bench.IsSearchStep(s.where()) {
			giveUp()
		}
	})
	forgetSearch := cli.After(asked, 2*cli.Grace, giveUp)
	return s, func() {
		forget()
		forgetSearch()
		cancel()
		restore()
	}
}

// where names the step.
func (s *stop) where() string {
	if step := s.step.Load(); step != nil {
		return *step
	}
	return "the beginning"
}

// stopLate gives up after a signal.
func (j *job) stopLate() {
	j.giveUp(fmt.Sprintf("stopped by a signal; %s did not end in time", j.stop.where()))
}

// giveUp prints the reason and ends this process, and therefore the run on all ranks. Finished searches are on disk.
func (j *job) giveUp(why string) {
	defer os.Exit(cli.Failure)
	j.explain(why)
	if dog := j.dog.Load(); dog != nil {
		dog.Close() // no other rank explains the end of this one
	}
}

// explain prints why the run ends early, on rank 0 also how it is resumed, and the verdict.
func (j *job) explain(why string) {
	fmt.Fprintf(j.errOut, "g500: %s\n", why)
	if j.first.Load() {
		if j.stop.searched.Load() || j.earlier != nil && j.earlier.Done() > 0 {
			j.printHowToResume(comm.Launched().Tasks)
		}
		if !j.opt.json {
			fmt.Fprintf(j.rest(), "INVALID: incomplete, the run was interrupted in %s\n", j.stop.where())
		}
	}
}

// printHowToResume prints the command that resumes a run on that number of MPI ranks, if the run has an output folder.
func (j *job) printHowToResume(ranks int) {
	if j.cfg.Output.Dir == "" {
		return
	}
	if !j.transport.Tasks {
		ranks = 1
	}
	l := comm.Launched()
	start, as := l.Again(ranks), ""
	if l.Name != "" && start == "" {
		as = fmt.Sprintf(" as %d ranks of MPI, started as before", ranks)
	}
	fmt.Fprintf(j.errOut, "to resume the run%s: %s%s run --resume %s\n", as, start, shellWord(os.Args[0]),
		shellWord(j.cfg.Output.Dir))
}

// shellWord quotes a text for a shell, if it needs quotes.
func shellWord(text string) string {
	if regexp.MustCompile(`^[\w./:=@%+,-]+$`).MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
