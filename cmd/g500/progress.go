package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"g500/bench"
	"g500/report"
)

// newProgress shows a run's progress: bars on a terminal, plain lines otherwise.
func newProgress(w io.Writer) bench.Watcher {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return &bars{lines: lines{w: w}}
	}
	return &lines{w: w}
}

// lines prints a line for each thing that happens.
type lines struct {
	w    io.Writer
	name string
}

func (l *lines) Plan(p bench.Plan, ranks int) {
	fmt.Fprintf(l.w, "memory: %s per rank, ranks: %d (tuples %s, engine %s, validation %s)\n",
		bench.Bytes(p.Total()), ranks, bench.Bytes(p.Tuples), bench.Bytes(p.Engine), bench.Bytes(p.Judge))
}

func (l *lines) Step(name string, _ int64) { l.name = name }

func (l *lines) Advance(int64) {}

func (l *lines) Done(seconds float64) {
	fmt.Fprintf(l.w, "%s: %s\n", l.name, report.FormatSeconds(seconds))
}

func (l *lines) Searched(s report.Search, i, n int) {
	verdict := "not validated"
	switch {
	case s.Fault != "":
		verdict = "INVALID: " + s.Fault
	case s.ValidateSeconds >= 0:
		verdict = fmt.Sprintf("%s, valid (%s)", report.FormatTEPS(float64(s.Edges)/s.Seconds), report.FormatSeconds(s.ValidateSeconds))
	}
	fmt.Fprintf(l.w, "search %d/%d: root %d, %s, %s\n", i, n, s.Root, report.FormatSeconds(s.Seconds), verdict)
	for _, level := range s.Trace {
		fmt.Fprintln(l.w, traceLine(level))
		for _, line := range rankLines(level) {
			fmt.Fprintln(l.w, line)
		}
	}
}

func (l *lines) Note(text string) { fmt.Fprintf(l.w, "note: %s\n", text) }

// bars draws a bar for each step, and a line when it is done.
type bars struct {
	lines
	bar *progressbar.ProgressBar
}

func (b *bars) Step(name string, total int64) {
	b.lines.Step(name, total)
	if total == 0 {
		total = -1 // a spinner
	}
	b.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(b.w),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionShowCount(),
	)
	_ = b.bar.RenderBlank()
}

func (b *bars) Advance(done int64) {
	if b.bar != nil {
		_ = b.bar.Set64(done)
	}
}

func (b *bars) Done(seconds float64) {
	_ = b.bar.Clear()
	b.bar = nil
	b.lines.Done(seconds)
}

func (b *bars) Searched(s report.Search, i, n int) {
	if s.Fault != "" || len(s.Trace) > 0 {
		_ = b.bar.Clear()
		b.lines.Searched(s, i, n)
		return
	}
	b.bar.Describe(fmt.Sprintf("searches (last %s)", report.FormatTEPS(float64(s.Edges)/s.Seconds)))
}

func (b *bars) Note(text string) {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	b.lines.Note(text)
}
