package main

import (
	"context"
	"fmt"
	"os"

	"g500/bench"
	"g500/comm"
	"g500/internal/machine"
	"g500/internal/panics"
	"g500/internal/watchdog"
	"g500/record"
)

// quiet is the time without progress after which the watchdog compares the ranks. Tests shorten it.
var quiet = watchdog.Quiet

// watchFor returns the watcher of this rank's run: its log, the watchdog and, on rank 0, the progress on errOut. Log
// and progress show signals and stalled ranks at once. unwatch ends it. It is collective.
func (j *job) watchFor(t comm.Transport, log rankLog) (watch bench.Watcher, unwatch func(), err error) {
	all := watchers{log}
	stalled := func(why string) { log.Stalled(why); fmt.Fprintf(j.errOut, "note: rank %d: %s\n", t.Rank(), why) }
	hide := func() {}
	if t.Rank() == 0 {
		shown := newProgress(j.errOut, j.opt.quiet, silence)
		if ctrlC := onTerminal(j.errOut) && comm.Launched().Name == ""; !j.opt.quiet && !ctrlC {
			fmt.Fprintf(j.errOut, "process %d on node %s: kill -TERM %[1]d there ends the run after its search\n",
				os.Getpid(), machine.Node())
			if j.cfg.Output.Dir == "" {
				fmt.Fprintln(j.errOut, "the run stores nothing: --output DIR stores it for reports, submissions and --resume")
			}
		}
		all, hide = append(all, shown), shown.Close
		stalled = func(why string) { log.Stalled(why); shown.Stalled(why) }
	}
	dog, err := watchdog.Join(t.Rank(), &j.ranks, quiet,
		func(text string) ([]string, error) { return comm.AllGatherTexts(t, text) })
	if err != nil {
		hide()
		return nil, nil, err
	}
	dog.Watch(stalled)
	all = append(all, place{silent{}, j.ranks.Self(t.Rank())}, &j.stop.at)
	if t.Rank() == 0 {
		j.first.Store(true)
	}
	noted := make(chan error, 1)
	forget := context.AfterFunc(j.stop.asked, func() {
		panics.Catch(func() {
			all.Note(fmt.Sprintf("stopped by a signal: the run ends after the running search, which is abandoned after %v, "+
				"and outside searches at once", grace))
		}, func(fault error) { noted <- fault })
	})
	return all, func() {
		if !forget() {
			panics.Raise(<-noted) // the note must precede the end
		}
		dog.Close()
		hide()
	}, nil
}

// place stores the position of the rank for the watchdog.
type place struct {
	silent
	self *watchdog.Self
}

func (p place) Step(name string, _ int64) { p.self.Begin(name) }
func (p place) Advance(done int64)        { p.self.Work.Store(done) }
func (p place) Searched(s record.Search, i, n int) {
	if i < n {
		p.self.Begin(fmt.Sprintf("search %d/%d", i+1, n))
	}
}

// silent watches nothing.
type silent struct{}

func (silent) Nodes([]string)                   {}
func (silent) Plan(bench.Plan, int)             {}
func (silent) Step(string, int64)               {}
func (silent) Advance(int64)                    {}
func (silent) Done(float64)                     {}
func (silent) Searched(record.Search, int, int) {}
func (silent) Note(string)                      {}
