// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
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

// The time left is in proportion to the work of this run, without the work of an earlier run.
func TestTimeLeft(t *testing.T) {
	began := time.Unix(1e9, 0)
	for _, c := range []struct {
		meaning string
		pace    pace
		after   time.Duration
		want    string
	}{
		{"a quarter done", pace{total: 64, done: 16}, 20 * time.Second, ", about 1 min 0 s left"},
		{"nothing done", pace{total: 64}, time.Hour, ""},
		{"no known length", pace{done: 5}, time.Hour, ""},
		{"all done", pace{total: 64, done: 64}, time.Hour, ""},
		{"under a second", pace{total: 64, done: 63}, 30 * time.Second, ""},
		{"resumed", pace{total: 64, done: 54, earlier: 50}, 8 * time.Minute, ", about 20 min left"},
		{"days", pace{total: 64, done: 1}, time.Hour, ", about 63 h 0 min left"},
	} {
		c.pace.began = began
		expect.Equal(t, c.pace.leftText(began.Add(c.after)), c.want, c.meaning)
	}
}

// A resumed run of 64 searches has 40 done, and needs 30 s for each.
func TestSearchesPrintTheTimeLeft(t *testing.T) {
	l, text, c := watched()
	l.Step("searches", 64)
	for i := 41; i <= 43; i++ {
		c.sleep(30 * time.Second)
		l.Searched(record.Search{Key: i - 1, Root: 7, Seconds: 1, Edges: 1e6, ValidateSeconds: 29}, i, 64)
		l.Advance(int64(i))
	}
	l.Searched(record.Search{Key: 43, Root: 7, Seconds: 1, Fault: "a fault"}, 44, 64) // after which no search follows
	want := "search key 40 (41/64): root 7, 1.00 s, 1.00 MTEPS, valid (29.0 s), about 11 min left\n" +
		"search key 41 (42/64): root 7, 1.00 s, 1.00 MTEPS, valid (29.0 s), about 11 min left\n" +
		"search key 42 (43/64): root 7, 1.00 s, 1.00 MTEPS, valid (29.0 s), about 10 min left\n" +
		"search key 43 (44/64): root 7, 1.00 s, INVALID: a fault\n"
	expect.Equal(t, text.String(), want, text)
}

// Ten searches share a line, those after ten seconds have one before; the last ones have one, too.
func TestTenSearchesShareALine(t *testing.T) {
	l, text, c := watched()
	l.perLine = 10
	l.Step("searches", 36)
	for i := 1; i <= 36; i++ {
		if i > 32 {
			c.sleep(6 * time.Second)
		}
		l.Searched(record.Search{Key: i - 1, Root: 7, Seconds: float64(i), ValidateSeconds: -1}, i, 36)
	}
	want := "searches 1-10/36: 1.00 s to 10.0 s, not validated\n" +
		"searches 11-20/36: 11.0 s to 20.0 s, not validated\n" +
		"searches 21-30/36: 21.0 s to 30.0 s, not validated\n" +
		"searches 31-34/36: 31.0 s to 34.0 s, not validated\n" +
		"searches 35-36/36: 35.0 s to 36.0 s, not validated\n"
	expect.Equal(t, text.String(), want, text)
}

// With --min-time each search of the first round has a line in logs, and later rounds have a line per ten seconds; a
// fault always has one. A resumed run begins in a later round.
func TestLaterRoundsArePrintedEveryTenSeconds(t *testing.T) {
	l, text, c := watched()
	for i := 20; i < 420; i++ {
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
	want := "search key 20 (21/22): root 7, 1.00 us, 10.0 MTEPS, valid (50.0 ms)\n" +
		"search key 21 (22/22): root 7, 1.00 us, 10.0 MTEPS, valid (50.0 ms)\n" +
		"searches: 222 done, round 111\n" +
		"search key 320 (321/322): root 7, 1.00 us, INVALID: a fault\n" +
		"searches: 100% after 20 s\n"
	expect.Equal(t, text.String(), want, text)
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

// A long step prints that it continues, and its progress if it is known.
func TestLongStepsPrintTheirProgress(t *testing.T) {
	l, text, c := watched()
	l.Step("graph generation", 1000)
	c.sleep(30 * time.Second)
	l.Advance(250)
	l.sayAlive()
	l.Done(120)
	l.sayAlive() // prints nothing between two steps
	l.Step("kernel 1", 0)
	c.sleep(time.Hour)
	l.sayAlive()
	want := "graph generation: 25% after 30 s, about 1 min 30 s left\n" +
		"graph generation: 120 s\n" +
		"kernel 1: not done after 1 h 0 min\n"
	expect.Equal(t, text.String(), want, text)
}

func TestNodesAreNamed(t *testing.T) {
	for _, c := range []struct {
		hosts []string
		want  string
	}{
		{[]string{"a", "a"}, ""},
		{[]string{"a", "a", "b"}, "a (ranks 0-1), b (rank 2)"},
		{[]string{"a", "b", "a"}, "a (rank 0), b (rank 1), a (rank 2)"},
	} {
		expect.Equal(t, nodesText(c.hosts), c.want, c.hosts)
	}
}

func TestTraceLine(t *testing.T) {
	for _, c := range []struct {
		meaning string
		step    record.Level
		want    string
	}{
		{"of an engine that tells the variant",
			record.Level{Step: "bottom-up", Variant: "pull-remaining", Seconds: 100e-6, Frontier: 5},
			"  bottom-up     100 us, frontier 5, edges 0, pull-remaining"},
		{"of one that does not", record.Level{Step: "top-down", Seconds: 20e-6, Frontier: 1, Edges: 7},
			"  top-down     20.0 us, frontier 1, edges 7"},
		{"quicker than the clock", record.Level{Step: "top-down", Frontier: 1},
			"  top-down      0.00 s, frontier 1, edges 0"},
	} {
		expect.Equal(t, TraceLine(c.step), c.want, c.meaning)
	}
}

func TestRankLines(t *testing.T) {
	step := record.Level{Step: "top-down", Ranks: &record.RankCosts{
		Computing: []float64{10e-6, 20e-6}, Exchanging: []float64{3e-6, 4e-6}, Waiting: []float64{11e-6, 0},
		Traffic: []record.Traffic{
			{Payload: "bins", Transport: "peer", Sent: []int64{16, 0}, Received: []int64{0, 16}},
			{Payload: "sums", Transport: "mpi", Sent: []int64{24, 24}, Received: []int64{24, 24}},
		},
	}}
	want := []string{
		"    rank 0   computing 10.0 us, exchanging 3.00 us, waiting 11.0 us; bins/peer: 16.0 B sent, 0.00 B received; " +
			"sums/mpi: 24.0 B sent, 24.0 B received",
		"    rank 1   computing 20.0 us, exchanging 4.00 us, waiting 0.00 s; bins/peer: 0.00 B sent, 16.0 B received; " +
			"sums/mpi: 24.0 B sent, 24.0 B received",
	}
	expect.Equal(t, rankLines(step), want)
	step.Ranks = nil
	expect.Equal(t, rankLines(step), nil)
}

// A stalled run prints the reason once instead of the time left; when it continues, it prints the time again. A quiet
// run prints only why it stalls.
func TestNoTimeLeftInAStalledRun(t *testing.T) {
	l, text, c := watched()
	l.Step("searches", 64)
	c.sleep(30 * time.Second)
	l.Advance(16)
	l.Stalled("no progress")
	l.sayAlive()
	l.Stalled("")
	l.sayAlive()
	const notes = "note: no progress\nnote: the run continues\n"
	expect.Equal(t, text.String(), notes+"searches: 25% after 30 s, about 1 min 30 s left\n", text)
	var quiet strings.Builder
	p := NewProgress(&quiet, true, Silence)
	p.Step("searches", 64)
	p.Stalled("no progress")
	p.Stalled("")
	expect.Equal(t, quiet.String(), notes)
}
