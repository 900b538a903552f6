// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/comm/commtest"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/internal/panics"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

// filesOf reads all files of a folder, without those below it and without the lock.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, e := range expect.Value(os.ReadDir(dir))(t) {
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil && e.Name() != lockFile {
			files[e.Name()] = string(text)
		}
	}
	return files
}

// resumption is a run that a signal cuts off, and that is resumed after a change.
type resumption struct {
	setup    Setup
	searches int                               // of the last kernel before the signal
	change   func(dir string, c record.Config) // between the parts, nil for none
	lost     int                               // searches that the change removes
	want     string                            // error of the second part, "" for none
	note     string                            // part of the notes
}

func resumptions(t *testing.T) map[string]resumption {
	with := func(s Setup, keys int) Setup { s.Config.Search.Keys = keys; return s }
	edit := func(line int, pattern, text string) func(string, record.Config) { // of the list of searches
		return func(dir string, _ record.Config) {
			path := filepath.Join(dir, record.SearchesFile)
			lines := strings.SplitAfter(expect.Read(t, path), "\n")
			lines[line] = regexp.MustCompile(pattern).ReplaceAllString(lines[line], text)
			expect.Write(t, path, strings.Join(lines, ""))
		}
	}
	roots := func(text string) func(string, record.Config) {
		return func(_ string, c record.Config) { expect.Write(t, c.Search.Roots, text) }
	}
	edges := func(change func(text string) string) func(string, record.Config) {
		return func(_ string, c record.Config) {
			expect.Write(t, c.Graph.Edges, change(expect.Read(t, c.Graph.Edges)))
		}
	}
	const three, secret = "220\n458\n214\n", "3 secret 7\n"
	const foreign, unread = "of the run to resume has root", "cannot be read as the run to resume read it"
	const path = "0 1\n1 2\n2 3\n3 4\n"
	snap := expect.File(t, "list.txt", path)
	pipe := hybrid(config(9))
	pipe.Config.Search.Roots = expect.Pipe(t, three+"12\n")
	return map[string]resumption{
		"killed while writing": {setup: hybrid(config(9)), searches: 10, change: edit(9, `.{20}\n$`, ""), lost: 1},
		"in the second kernel": {setup: hybrid(configOf("both", 8)), searches: 9},
		"another graph":        {setup: with(ofSpec(t, "bfs", "road:20x20"), 8), searches: 3},
		"a foreign root": {setup: hybrid(config(9)), searches: 5, want: foreign,
			change: edit(2, `"root":\d+`, `"root":1`)},
		"another key's root": {setup: hybrid(config(9)), searches: 5, want: foreign,
			change: edit(2, `"key":2,`, `"key":40,`)},
		"the same roots": {setup: hybrid(fileOfRoots(t, three)), searches: 2},
		"other roots": {setup: hybrid(fileOfRoots(t, three)), searches: 2, change: roots("220\n214\n458\n"),
			want: "(roots) has changed since the run to resume read it"},
		"no roots":  {setup: hybrid(fileOfRoots(t, three)), searches: 1, change: roots(secret), want: "(roots) " + unread},
		"the edges": {setup: hybrid(edgesOf(t, 9)), searches: 5, note: "the graph was read again"},
		"other edges": {setup: hybrid(edgesOf(t, 9)), searches: 5, want: " (edges) has changed since the run to resume",
			change: edges(func(text string) string { return text[len(text)-12:] + text[12:] })},
		"no edges": {setup: hybrid(edgesOf(t, 9)), searches: 1, want: "(edges) " + unread,
			change: edges(func(text string) string { return strings.Repeat("secret!!", len(text)/8) })},
		"no graph": {setup: with(ofSpec(t, "bfs", "file:"+snap+",format=snap"), 3), searches: 1, want: "(graph) " + unread,
			change: func(string, record.Config) { expect.Write(t, snap, secret) }},
		"a pipe": {setup: pipe, searches: 2, want: "a pipe that cannot be read again"},
		"a graph from a pipe": {setup: with(ofSpec(t, "bfs", "file:"+expect.Pipe(t, path)+",format=snap"), 3), searches: 1,
			want: "a pipe that cannot be read again"},
	}
}

// A run that was cut off is resumed if its inputs and searches are as they were: it has the searches, the settings and
// the times of both parts. A refusal changes no file, so that the run can be resumed with the right inputs, and shows
// no content of a file, which another user's configuration may name.
func TestResumption(t *testing.T) {
	for meaning, c := range resumptions(t) {
		t.Run(meaning, func(t *testing.T) {
			dir, ranks := t.TempDir(), 1+c.lost
			c.setup.Config.Output.Dir = dir
			first := cutOff(t, ranks, c.setup, c.searches)
			if c.change != nil {
				c.change(dir, c.setup.Config)
			}
			list, before := filepath.Join(dir, record.SearchesFile), filesOf(t, dir)
			searches := expect.Read(t, list)
			second, err := resume(t, ranks, dir)
			if expect.Error(t, err, c.want, ranks, "ranks"); err == nil {
				c.isWhole(t, first, second)
			} else if expect.Equal(t, expect.Read(t, list), searches); strings.Contains(err.Error(), "secret") {
				t.Error(err)
			} else if second == nil {
				expect.Equal(t, filesOf(t, dir), before)
			}
		})
	}
}

// resume resumes the run in a folder.
func resume(t *testing.T, ranks int, dir string) (*record.Run, error) {
	t.Helper()
	if _, err := record.ReadEarlier(dir); err != nil {
		return nil, err
	}
	return run(context.Background(), ranks, resuming(t, dir))
}

// isWhole checks the run that a second part has completed.
func (c resumption) isWhole(t *testing.T, first, second *record.Run) {
	t.Helper()
	kept := first.Done() - c.lost
	expect.Must(t, second.Status == record.Valid && second.Resumed == kept && len(second.Parts) == 1,
		"%s, %d searches of %d parts, want %d of 1", second.Verdict(), second.Resumed, len(second.Parts), kept)
	built := first.ConstructionSeconds()
	want := fmt.Sprintf("kernel 1 of part 1, which was cut off after %d searches, took %s\n", kept,
		record.FormatSeconds(built))
	expect.Contains(t, expect.Written(t, second.WriteSummary), want)
	part := record.Part{Searches: kept, ConstructionSeconds: built, Environment: first.Environment}
	expect.Equal(t, second.Parts[0], part)
	expect.NoError(t, second.CheckSameSettings(*first.Config))
	expect.Contains(t, strings.Join(second.Notes, "\n"), c.note)
	for i, k := range first.Kernels {
		if searches := k.Searches; i > 0 || c.lost == 0 {
			expect.Equal(t, second.Kernels[i].Searches[:len(searches)], searches)
		} else {
			expect.Equal(t, second.Kernels[i].Searches[:kept], searches[:kept])
		}
	}
}

// The run of a rank that fails has the searches before.
func TestRunOfAFailedRankHasItsSearches(t *testing.T) {
	c := config(8)
	c.Output.Dir = filepath.Join(t.TempDir(), "out")
	_, err := run(context.Background(), 3, faultySetup(c, 4, func(t comm.Transport, _ []graph.Global) error {
		return map[int]error{2: errors.New("no answer")}[t.Rank()]
	}))
	expect.Must(t, err != nil && strings.Count(err.Error(), "no answer") == 1 && strings.Contains(err.Error(), "rank 2"),
		"the job ended with %v", err)
	earlier := resuming(t, c.Output.Dir).Earlier
	expect.Equal(t, []any{earlier.Status, earlier.Done()}, []any{record.Incomplete, 2}, "the run in the folder")
}

// While a run uses a folder, no other run can use it or resume the run, on any number of ranks. The time of kernel 1 is
// on disk before the first search.
func TestAFolderHasOneRunAtATime(t *testing.T) {
	c := config(8)
	c.Output.Dir = t.TempDir()
	want := fmt.Sprintf("the folder %s is in use by process %d on %s: ", c.Output.Dir, os.Getpid(), machine.Node())
	intrude := func(tr comm.Transport, _ []graph.Global) error {
		if tr.Rank() != 0 {
			return nil
		}
		stored := expect.Value(record.Read(c.Output.Dir))(t)
		expect.That(t, stored.Kernels[0].ConstructionSeconds > 0, "%+v", stored.Kernels[0])
		expect.Error(t, expect.Err(run(context.Background(), 3, hybrid(c))), want, "another run")
		expect.Error(t, expect.Err(resume(t, 2, c.Output.Dir)), want, "a resumption")
		return errors.New("enough")
	}
	first, err := run(context.Background(), 2, faultySetup(c, 4, intrude))
	expect.That(t, err != nil && first.Status == record.Incomplete && first.Done() == 2,
		"error %v, status %s, %d searches", err, first.Status, first.Done())
	expect.Error(t, expect.Err(os.Stat(filepath.Join(c.Output.Dir, lockFile))), "no such file", "the lock")
}

// A process does not resume a run that another process has continued since it was read.
func TestResumeAfterAnotherProcess(t *testing.T) {
	s := hybrid(config(8))
	s.Config.Output.Dir = t.TempDir()
	cutOff(t, 1, s, 3)
	read := func() *record.Run { t.Helper(); return expect.Value(record.ReadEarlier(s.Config.Output.Dir))(t) }
	late := s
	late.Earlier, s.Earlier = read(), read()
	cutOff(t, 1, s, 8)
	expect.Error(t, expect.Err(run(t.Context(), 1, late)), "another process continued the run")
	s.Earlier = read()
	expect.Equal(t, s.Earlier.Done(), 8)
	mustRun(t, 1, s)
	expect.Error(t, expect.Err(run(t.Context(), 1, late)), "has ended VALID")
}

// completed reads a run that lacks only files, writes them, and reads it again.
func completed(t *testing.T, dir string) *record.Run {
	t.Helper()
	r, err := record.ReadEarlier(dir)
	expect.Must(t, err == nil && r.AllSearched(), "error %v, the run is %s", err, r.Status)
	r.Failure = ""
	r.Settle()
	expect.NoError(t, WriteLastFiles(dir, r))
	stored := expect.Value(record.Read(dir))(t)
	expect.NoError(t, stored.CompareFiles(dir))
	expect.Error(t, expect.Err(record.ReadEarlier(dir)), "has ended "+string(stored.Status))
	return stored
}

// A run whose last file cannot be written is INVALID on every rank. If writing is possible again, the missing files are
// written, and the run equals one that was never cut off: it has a single part.
func TestRunWhoseFilesAreNotStoredIsNotValid(t *testing.T) {
	for _, name := range []string{"searches.csv", "sssp.csv", "official.txt"} {
		c := configOf("both", 8)
		c.Search.Keys, c.Output.Dir = 4, t.TempDir()
		blocked := filepath.Join(c.Output.Dir, name+".new") // a folder where the file is to be written
		expect.NoError(t, os.Mkdir(blocked, 0o755))
		runs, err := onRanks(context.Background(), 2, func(int) Setup { return hybrid(c) })
		for rank, r := range runs {
			expect.That(t, r != nil && r.Status != record.Valid, "%s: rank %d is valid", name, rank)
		}
		expect.Error(t, err, name)
		expect.Error(t, err, "--resume "+c.Output.Dir, name)
		expect.NoError(t, os.Remove(blocked))
		r := completed(t, c.Output.Dir)
		expect.Equal(t, []any{r.Status, r.Resumed, len(r.Parts)}, []any{record.Valid, 0, 0}, name)
	}
}

// A run that was killed between its last search and its last file has run.json as it was after kernel 1.
func TestRunThatWasKilledAfterItsLastSearch(t *testing.T) {
	for _, change := range []func(c *record.Config){
		func(*record.Config) {},
		func(c *record.Config) { c.Search.Validate = false },
		func(c *record.Config) { c.Search.MinTime = settings.Duration(time.Nanosecond) },
	} {
		c := configOf("both", 8)
		c.Output.Dir = t.TempDir()
		change(&c)
		want := mustRun(t, 1, hybrid(c))
		begun := *want
		begun.Kernels = slices.Clone(want.Kernels)
		for i := range begun.Kernels {
			begun.Kernels[i].Searches = nil
		}
		expect.NoError(t, (&Store{dir: c.Output.Dir}).replace(record.File, begun.WriteJSON))
		for _, name := range []string{"official.txt", "searches.csv", "sssp.csv"} {
			expect.NoError(t, os.Remove(filepath.Join(c.Output.Dir, name)))
		}
		got := completed(t, c.Output.Dir)
		expect.That(t, got.Status == want.Status && got.SameSearches(want) && got.Resumed == 0,
			"%s, %s was wanted; %d resumed searches", got.Verdict(), want.Verdict(), got.Resumed)
	}
}

// endless calls begun again and again until the work is abandoned.
func endless(t comm.Transport, begun func(rank int)) error {
	for {
		begun(t.Rank())
		if err := t.AllReduce([]int64{1}, comm.Max); err != nil {
			return err
		}
	}
}

// A search that is overdue on one rank is abandoned on all ranks. The run keeps earlier searches and can be resumed.
func TestOverdueSearchIsAbandoned(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		ctx, stop := context.WithCancel(context.Background())
		overdue, abandon := context.WithCancel(context.Background())
		var levels atomic.Int64
		s := faultySetup(config(8), 5, func(t comm.Transport, _ []graph.Global) error { // which do not end
			return endless(t, func(rank int) {
				switch {
				case rank != ranks-1:
				case levels.Add(1) < 10: // a signal alone abandons no search
					stop()
				default:
					abandon()
				}
			})
		})
		s.Overdue = overdue
		s.Config.Output.Dir = t.TempDir() + "/out"
		got, err := run(ctx, ranks, s)
		expect.Must(t, err == nil && got.Status == record.Incomplete && got.Failure == record.Interrupted && got.Done() == 3,
			"%d ranks: %v, %s, %d searches", ranks, err, got.Verdict(), got.Done())
		again := resuming(t, s.Config.Output.Dir)
		expect.Must(t, again.Earlier.Done() == 3, "%d searches on disk", again.Earlier.Done())
		expect.Equal(t, mustRun(t, ranks, again).Status, record.Valid, ranks, "ranks, resumed")
	}
}

// Work outside searches is abandoned at the signal.
func TestKernel1IsAbandonedAtOnce(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s := hybrid(config(8))
	s.Backend.Kernel1 = func(t comm.Transport, _ graph.Tuples) (engine.Engine, error) {
		return nil, endless(t, func(rank int) {
			if rank == 1 {
				stop()
			}
		})
	}
	wantInterrupted(t, ctx, 2, s)
}

// wantInterrupted runs a setup and checks that an interruption ends the run.
func wantInterrupted(t *testing.T, ctx context.Context, ranks int, s Setup) {
	t.Helper()
	got, err := run(ctx, ranks, s)
	expect.That(t, err == nil && got.Status == record.Incomplete && got.Failure == record.Interrupted,
		"%s, %s, %d ranks: %v, %s", s.Backend.Name, s.Config.Search.Kernel, ranks, err, got.Verdict())
}

// A signal before the run begins leaves no result, and all ranks return the reason.
func TestSignalBeforeTheRun(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	expect.Error(t, expect.Err(run(ctx, 3, hybrid(config(8)))), record.Interrupted)
}

// abandoner is an engine whose Abandon ends its search.
type abandoner struct {
	engine.Engine
	begun     func()
	abandoned chan struct{}
	fault     error // Abandon panics with it, nil for none
}

func (e *abandoner) Abandon() {
	close(e.abandoned)
	panics.Raise(e.fault)
}

func (e *abandoner) Search(graph.Global) (engine.Result, error) {
	e.begun()
	<-e.abandoned
	return nil, comm.ErrAbandoned
}

// Abandon is called on an engine that does not wait for its transport. If it panics, the run fails.
func TestAbandonerIsCalled(t *testing.T) {
	overdue, abandon := context.WithCancel(context.Background())
	with := func(fault error) Setup {
		s := hybrid(config(8))
		s.Overdue = overdue
		s.wrapTrees(func(_ comm.Transport, e engine.Engine) engine.Engine {
			return &abandoner{e, abandon, make(chan struct{}), fault}
		})
		return s
	}
	wantInterrupted(t, context.Background(), 2, with(nil))
	_, err := run(context.Background(), 2, with(commtest.ErrPlanted))
	expect.That(t, errors.Is(err, commtest.ErrPlanted), "a panic of Abandon: error %v", err)
}

// Every engine on CPUs ends an overdue search, on any number of ranks.
func TestEnginesAbandonTheirSearches(t *testing.T) {
	overdue, abandon := context.WithCancel(context.Background())
	abandon()
	for _, backend := range []Backend{
		CPU("cpu", bfs.NewHybrid(2), sssp.NewSearch(2), 2), CPU("topdown", bfs.NewTopDown, sssp.NewBellmanFord, 2),
	} {
		for _, kernel := range []string{"bfs", "sssp"} {
			for _, ranks := range []int{1, 3} {
				s := hybrid(configOf(kernel, 8))
				s.Backend = backend
				s.Overdue = overdue
				wantInterrupted(t, context.Background(), ranks, s)
			}
		}
	}
}
