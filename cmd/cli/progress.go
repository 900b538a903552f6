// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"g500/bench"
	"g500/comm/agreement"
	"g500/internal/panics"
	"g500/record"
)

// progress shows the progress of a run until it is closed.
type Progress interface {
	bench.Watcher
	// Stalled shows why the run stalls; "" means that it continues.
	Stalled(why string)
	Close()
}

// NewProgress returns bars on a terminal, else plain lines; only notes if quiet. Plain lines print how far a step is
// after this time without a line.
func NewProgress(w io.Writer, quiet bool, silence time.Duration) Progress {
	plain := NewLines(w, time.Now)
	if quiet {
		plain.w = io.Discard
		return plain
	}
	if OnTerminal(w) {
		shown := &bars{Lines: plain, above: w, screen: w.(*cleanWriter).to}
		plain.w, plain.notes = shown, shown
		return shown
	}
	plain.silence, plain.perLine = silence, 10
	plain.quiet = time.AfterFunc(silence, func() { plain.faults.Catch(plain.sayAlive) })
	return plain
}

// OnTerminal reports whether a writer of a command writes to a terminal.
func OnTerminal(w io.Writer) bool {
	if clean, ok := w.(*cleanWriter); ok {
		w = clean.to
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Times without a line after which plain lines print how far a step is.
const (
	Silence      = 30 * time.Second // of runs, which print a line for each search
	ShortSilence = 5 * time.Second  // of other commands
)

// lines prints one line per event.
type Lines struct {
	w     io.Writer
	notes io.Writer // of notes and stalls, which the reader of the result needs
	now   func() time.Time

	perLine int // number of searches of the first round that share a line
	silence time.Duration
	quiet   *time.Timer // fires after silence; nil if lines need not print that the run continues

	mu      sync.Mutex
	name    string // of the current step, "" between steps
	pace    pace
	stalled bool
	rounds  rounds
	batch   batch       // the searches since the last line
	faults  panics.Kept // of the timer
}

// NewLines returns lines with one for each search.
func NewLines(w io.Writer, now func() time.Time) *Lines {
	return &Lines{w: w, notes: w, now: now, perLine: 1}
}

// Close stops the timer. It panics if the timer's function did.
func (l *Lines) Close() {
	if l.quiet != nil {
		l.quiet.Stop()
	}
	l.faults.Raise()
}

// Say prints a line.
func (l *Lines) Say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.printf(format, args...)
}

// printf prints a line; the caller holds l.mu.
func (l *Lines) printf(format string, args ...any) {
	fmt.Fprintf(l.w, format+"\n", args...)
	l.resetTimer()
}

func (l *Lines) resetTimer() {
	if l.quiet != nil {
		l.quiet.Reset(l.silence)
	}
}

// sayAlive prints how far a long step is.
func (l *Lines) sayAlive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	switch {
	case l.name == "", now.Sub(l.pace.began) < time.Second, l.stalled: // the watchdog repeats the note on a stall
		l.resetTimer()
	case l.pace.done > 0 && l.pace.total > 0:
		l.printf("%s: %d%% after %s%s", l.name, 100*l.pace.done/l.pace.total, Roughly(now.Sub(l.pace.began)),
			l.pace.leftText(now))
	default:
		l.printf("%s: not done after %s", l.name, Roughly(now.Sub(l.pace.began)))
	}
}

// Nodes prints the nodes, so that a failed rank can be located.
func (l *Lines) Nodes(nodes []string) {
	if text := nodesText(nodes); text != "" {
		l.Say("nodes: %s", text)
	}
}

// nodesText names the ranks of each node, as "a (ranks 0-3), b (rank 4)"; "" for one node.
func nodesText(nodes []string) string {
	var parts []string
	var ranks []int // in a row on one node
	for rank, node := range nodes {
		if ranks = append(ranks, rank); rank+1 == len(nodes) || nodes[rank+1] != node {
			parts, ranks = append(parts, fmt.Sprintf("%s (%s)", node, agreement.Ranks(ranks))), nil
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, ", ")
}

func (l *Lines) Plan(p bench.Plan, ranks int) {
	tuples := "tuples " + bench.Bytes(p.Tuples)
	if p.InHost > 0 {
		tuples = fmt.Sprintf("tuples %s of host memory and %s", bench.Bytes(p.InHost), bench.Bytes(p.Tuples))
	}
	l.Say("memory: %s per rank, ranks: %d (%s, engine %s, kernel 1 or validation %s)",
		bench.Bytes(p.Total()), ranks, tuples, bench.Bytes(p.Engine), bench.Bytes(max(p.Building, p.Validator)))
}

func (l *Lines) Step(name string, total int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if name == l.name {
		l.pace.total = total // another round of the same step
		return
	}
	l.name, l.pace, l.rounds = name, pace{began: l.now(), total: total}, rounds{printed: l.now()}
	l.batch = batch{}
}

func (l *Lines) Advance(done int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pace.done = done
}

func (l *Lines) Done(seconds float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.printf("%s: %s", l.name, record.FormatSeconds(seconds))
	l.name = ""
}

// Searched prints a line for perLine searches, and at once one for a search with a fault or a trace.
func (l *Lines) Searched(s record.Search, i, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.countSearch(i)
	alone := s.Fault != "" || len(s.Trace) > 0
	if again := l.rounds.again(s, n); again > 0 && s.Fault == "" {
		if l.rounds.due(l.now()) {
			l.printf("%s: %d done, round %d", l.name, i, again)
		}
		return
	}
	l.batch.add(s.Seconds)
	if !alone && i%l.perLine != 0 && i != n && !l.rounds.due(l.now()) {
		return
	}
	l.rounds.printed = l.now()
	left := l.pace.leftText(l.now())
	if s.Fault != "" { // which ends the searches
		left = ""
	}
	if of := l.batch; of.n > 1 && !alone {
		l.printf("searches %d-%d/%d: %s to %s, %s%s", i-of.n+1, i, n,
			record.FormatSeconds(of.fastest), record.FormatSeconds(of.slowest), validity(s), left)
	} else {
		l.printf("search key %d (%d/%d): root %d, %s, %s%s",
			s.Key, i, n, s.Root, record.FormatSeconds(s.Seconds), verdictOf(s), left)
	}
	l.batch = batch{}
	for _, level := range s.Trace {
		l.printf("%s", TraceLine(level))
		for _, line := range rankLines(level) {
			l.printf("%s", line)
		}
	}
}

// validity reports whether a search without a fault was validated.
func validity(s record.Search) string {
	if s.ValidateSeconds < 0 {
		return "not validated"
	}
	return "valid"
}

// verdictOf returns the rate and the verdict of a search.
func verdictOf(s record.Search) string {
	switch {
	case s.Fault != "":
		return "INVALID: " + s.Fault
	case s.ValidateSeconds < 0:
		return validity(s)
	}
	return fmt.Sprintf("%s, %s (%s)", record.FormatTEPS(float64(s.Edges)/s.Seconds), validity(s),
		record.FormatSeconds(s.ValidateSeconds))
}

// countSearch stores that i searches are done. Searches before the first one of this step are of an earlier run.
func (l *Lines) countSearch(i int) {
	if l.pace.done == 0 {
		l.pace.earlier = int64(i) - 1
	}
	l.pace.done = int64(i)
}

func (l *Lines) Stalled(why string) {
	l.mu.Lock()
	l.stalled = why != ""
	l.mu.Unlock()
	l.Note(cmp.Or(why, "the run continues"))
}

func (l *Lines) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.notes, "note: %s\n", text)
	l.resetTimer()
}

// TraceLine describes one step of a search: its direction, time, frontier and edges, and its variant if it has one.
func TraceLine(s record.Level) string {
	line := fmt.Sprintf("  %-11s %8s, frontier %d, edges %d", s.Step, record.FormatSeconds(s.Seconds), s.Frontier, s.Edges)
	if s.Variant == "" {
		return line
	}
	return line + ", " + s.Variant
}

// rankLines describes the cost of a step on each rank; nil for one rank.
func rankLines(s record.Level) (lines []string) {
	if s.Ranks == nil {
		return nil
	}
	for r := range s.Ranks.Computing {
		line := fmt.Sprintf("    rank %-3d computing %s, exchanging %s, waiting %s", r,
			record.FormatSeconds(s.Ranks.Computing[r]), record.FormatSeconds(s.Ranks.Exchanging[r]),
			record.FormatSeconds(s.Ranks.Waiting[r]))
		for _, t := range s.Ranks.Traffic {
			line += fmt.Sprintf("; %s/%s: %s sent, %s received", t.Payload, t.Transport,
				record.FormatBytes(float64(t.Sent[r])), record.FormatBytes(float64(t.Received[r])))
		}
		lines = append(lines, line)
	}
	return lines
}
