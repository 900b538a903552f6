// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"g500/internal/infile"
	"g500/record"
)

// bars draws a bar for each step, and a line when it is done.
type bars struct {
	*Lines                          // which print above the bar
	above  io.Writer                // of lines
	screen io.Writer                // obeys control characters, unlike above
	bar    *progressbar.ProgressBar // nil between steps; lines.mu guards it
	title  string                   // the text before the bar, without the time left
}

func (b *bars) Step(name string, total int64) {
	b.mu.Lock()
	sameStep := name == b.name // another round of it
	b.mu.Unlock()
	b.Lines.Step(name, total)
	b.mu.Lock()
	defer b.mu.Unlock()
	if sameStep && b.bar != nil {
		b.bar.ChangeMax64(total)
		return
	}
	b.title = infile.Clean(name)
	if total == 0 {
		total = -1 // a spinner
	}
	b.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(b.screen),
		progressbar.OptionSetDescription(b.title),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(false), // it would count the work of an earlier run
		progressbar.OptionShowCount(),
	)
	_ = b.bar.RenderBlank()
}

func (b *bars) Advance(done int64) {
	b.Lines.Advance(done)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Describe(b.title + b.pace.leftText(b.now()))
		_ = b.bar.Set64(done)
	}
}

func (b *bars) Done(seconds float64) {
	b.Close()
	b.Lines.Done(seconds)
}

func (b *bars) Searched(s record.Search, i, n int) {
	if s.Fault != "" || len(s.Trace) > 0 && b.rounds.again(s, n) == 0 {
		b.Lines.Searched(s, i, n)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.countSearch(i)
	b.title = "searches, last " + record.FormatSeconds(s.Seconds)
	if s.Edges > 0 {
		b.title = "searches, last " + record.FormatTEPS(float64(s.Edges)/s.Seconds)
	}
}

// Stalled prints the reason above the bar, which shows no time left then.
func (b *bars) Stalled(why string) {
	b.Lines.Stalled(why)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Describe(b.title)
	}
}

// Close ends the bar; a spinner would turn forever.
func (b *bars) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		_ = b.bar.Finish() // which clears it
		b.bar = nil
	}
}

// Write removes the bar and prints a line; the caller holds b.mu.
func (b *bars) Write(line []byte) (int, error) {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	return b.above.Write(line)
}
