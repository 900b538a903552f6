// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync/atomic"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/record"
)

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
	at      whereabouts
}

// newStop returns the stop of a run. The first signal requests the end; a second signal ends the process at once.
// giveUp is called if the run has not ended in time: after cli.Grace or, during a search, after 2*cli.Grace.
func newStop(giveUp func()) (s *stop, end func()) {
	s = &stop{}
	asked, restore := cli.Signalled()
	overdue, cancel := context.WithCancel(context.Background())
	s.asked, s.overdue = asked, overdue
	forget := cli.After(asked, cli.Grace, func() {
		if cancel(); !bench.IsSearchStep(s.at.name()) {
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

// whereabouts stores the current step of the run in this process.
type whereabouts struct {
	bench.Silent
	step atomic.Pointer[string]
	done atomic.Bool // a search is on disk, if the run has an output folder
}

func (w *whereabouts) Step(name string, _ int64) { w.step.Store(&name) }

func (w *whereabouts) Searched(record.Search, int, int) { w.done.Store(true) }

func (w *whereabouts) name() string {
	if step := w.step.Load(); step != nil {
		return *step
	}
	return "the beginning"
}

// stopLate gives up after a signal.
func (j *job) stopLate() {
	j.giveUp(fmt.Sprintf("stopped by a signal; %s did not end in time", j.stop.at.name()))
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
		if j.stop.at.done.Load() || j.earlier != nil && j.earlier.Done() > 0 {
			j.printHowToResume(comm.Launched().Tasks)
		}
		if !j.opt.json {
			fmt.Fprintf(j.rest(), "INVALID: incomplete, the run was interrupted in %s\n", j.stop.at.name())
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
