// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"g500/internal/expect"
	"g500/record"
)

func TestEnvironmentOfRanksOfAProcess(t *testing.T) {
	const queues, loading = "CUDA_DEVICE_MAX_CONNECTIONS=", "CUDA_MODULE_LOADING="
	for _, c := range []struct {
		given []string
		ranks int
		want  string
	}{
		{[]string{"A=1"}, 1, "A=1"},
		{[]string{"A=1"}, 2, "A=1 " + queues + "32 " + loading + "EAGER"},
		{[]string{queues + "4", loading + "LAZY"}, 12, queues + "4 " + loading + "LAZY"},
	} {
		expect.Equal(t, strings.Join(gpuEnvironment(c.given, c.ranks), " "), c.want, c.ranks, "ranks", c.given)
	}
}

// The folder of an archive of stored runs is named by its set.
func TestNameOf(t *testing.T) {
	for dir, want := range map[string]string{"/a/first": "first", "results/h200/today/runs": "today", "/": "/"} {
		expect.Equal(t, nameOf(dir), want, dir)
	}
}

// clock is a time that a test sets.
type clock struct{ time time.Time }

func (c *clock) now() time.Time        { return c.time }
func (c *clock) sleep(d time.Duration) { c.time = c.time.Add(d) }
func watched() (*Lines, *strings.Builder, *clock) {
	text, c := new(strings.Builder), &clock{time.Unix(1e9, 0)}
	return NewLines(text, c.now), text, c
}

// panicWriter panics with an error at each write.
type panicWriter struct{ fault error }

func (w panicWriter) Write([]byte) (int, error) { panic(w.fault) }

// A panic of the timer ends the command that waits for its progress.
func TestPanicOfTheTimer(t *testing.T) {
	w := panicWriter{errors.New("planted fault")}
	l, _, c := watched()
	l.w = w
	l.Step("kernel 1", 0)
	c.sleep(time.Hour)
	l.faults.Catch(l.sayAlive)
	defer func() {
		err, _ := recover().(error)
		expect.That(t, errors.Is(err, w.fault), "Close panics with %v", err)
	}()
	l.Close()
}

// progress has runs that print lines while they work, by the rule that these show.
var progress = []struct {
	rule string
	run  func(l *Lines, c *clock)
}{
	{"40 of 64 searches were done before; each takes 30 s; after a fault no search follows", func(l *Lines, c *clock) {
		l.Step("searches", 64)
		for i := 41; i <= 43; i++ {
			c.sleep(30 * time.Second)
			l.Searched(record.Search{Key: i - 1, Root: 7, Seconds: 1, Edges: 1e6, ValidateSeconds: 29}, i, 64)
			l.Advance(int64(i))
		}
		l.Searched(record.Search{Key: 43, Root: 7, Seconds: 1, Fault: "a fault"}, 44, 64)
	}},
	{"ten searches share a line, those after ten seconds have one before; the last ones have one, too",
		func(l *Lines, c *clock) {
			l.perLine = 10
			l.Step("searches", 36)
			for i := 1; i <= 36; i++ {
				if i > 32 {
					c.sleep(6 * time.Second)
				}
				l.Searched(record.Search{Key: i - 1, Root: 7, Seconds: float64(i), ValidateSeconds: -1}, i, 36)
			}
		}},
	{"with --min-time each search of the first round has a line, later rounds one per ten seconds, and a fault has one",
		func(l *Lines, c *clock) {
			for i := 20; i < 420; i++ { // a resumed run begins in a later round
				if i%2 == 0 {
					l.Step("searches", int64(i+2))
				}
				s := record.Search{Key: i, Root: 7, Seconds: 1e-6, Edges: 10, ValidateSeconds: 0.05}
				if i == 320 {
					s.Fault = "a fault"
				}
				l.Searched(s, i+1, i/2*2+2)
				l.Advance(int64(i + 1))
				c.sleep(50 * time.Millisecond)
			}
			l.sayAlive()
		}},
	{"a long step prints that it continues, and its progress if it is known, but nothing is between two steps",
		func(l *Lines, c *clock) {
			l.Step("graph generation", 1000)
			l.sayAlive()
			c.sleep(30 * time.Second)
			l.Advance(250)
			l.sayAlive()
			l.Advance(990)
			l.sayAlive()
			l.Done(120)
			l.sayAlive()
			l.Step("kernel 1", 0)
			c.sleep(time.Hour)
			l.sayAlive()
			l.Step("preparing validation", 64)
			c.sleep(time.Hour)
			l.Advance(1)
			l.sayAlive()
		}},
	{"a stalled run prints the reason once instead of the time left; when it continues, it prints the time again",
		func(l *Lines, c *clock) {
			l.Step("searches", 64)
			c.sleep(30 * time.Second)
			l.Advance(16)
			l.Stalled("no progress")
			l.sayAlive()
			l.Stalled("")
			l.sayAlive()
		}},
	{"a quiet run prints only why it stalls", func(l *Lines, _ *clock) {
		p := NewProgress(l.w, true, Silence)
		p.Step("searches", 64)
		p.Stalled("no progress")
		p.Stalled("")
	}},
	{"a level has its variant, if the engine has variants, and a line for each rank", func(l *Lines, _ *clock) {
		step := record.Level{Step: "top-down", Seconds: 20e-6, Frontier: 1, Edges: 7, Ranks: &record.RankCosts{
			Computing: []float64{10e-6, 20e-6}, Exchanging: []float64{3e-6, 4e-6}, Waiting: []float64{11e-6, 0},
			Traffic: []record.Traffic{
				{Payload: "bins", Transport: "peer", Sent: []int64{16, 0}, Received: []int64{0, 16}},
				{Payload: "sums", Transport: "mpi", Sent: []int64{24, 24}, Received: []int64{24, 24}}}}}
		alone := record.Level{Step: "bottom-up", Variant: "pull-remaining", Frontier: 5} // quicker than the clock
		for _, level := range []record.Level{step, alone} {
			fmt.Fprintln(l.w, strings.Join(append([]string{TraceLine(level)}, rankLines(level)...), "\n"))
		}
	}},
	{"nodes have their ranks, also if these are not one after the other; one node has no line", func(l *Lines, _ *clock) {
		for _, hosts := range []string{"a a", "a a b", "a b a"} {
			fmt.Fprintf(l.w, "%s: %s\n", hosts, nodesText(strings.Fields(hosts)))
		}
	}},
}

// The file in testdata has the lines of these runs.
func TestProgress(t *testing.T) {
	var all strings.Builder
	for _, of := range progress {
		l, text, c := watched()
		of.run(l, c)
		fmt.Fprintf(&all, "# %s\n%s\n", of.rule, text)
	}
	expect.Golden(t, "testdata/progress.txt", all.String())
}
