package bench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"g500/internal/expect"
	"g500/record"
	"g500/settings"
)

// completed reads a run that lacks only files, writes them, and reads it again.
func completed(t *testing.T, dir string) *record.Run {
	t.Helper()
	r, err := record.ReadEarlier(dir)
	if err != nil || !r.AllSearched() {
		t.Fatalf("error %v, the run is %s", err, r.Status)
	}
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
	for kernel, names := range map[string][]string{
		"bfs": {"searches.csv", "official.txt"}, "sssp": {"sssp.csv", "official.txt"}, "both": {"searches.csv", "sssp.csv"},
	} {
		for _, name := range names {
			c := configOf(kernel, 8)
			c.Search.Keys, c.Output.Dir = 4, t.TempDir()
			blocked := filepath.Join(c.Output.Dir, name+".new") // a folder where the file is to be written
			expect.NoError(t, os.Mkdir(blocked, 0o755))
			runs, err := onRanks(context.Background(), 2, func(int) Setup { return hybrid(c) })
			for rank, r := range runs {
				if r == nil || r.Status == record.Valid {
					t.Errorf("%s, %s: rank %d is valid", kernel, name, rank)
				}
			}
			expect.Error(t, err, name, kernel)
			expect.Error(t, err, "--resume "+c.Output.Dir, kernel, name)
			expect.NoError(t, os.Remove(blocked))
			if r := completed(t, c.Output.Dir); r.Status != record.Valid || r.Resumed > 0 || len(r.Parts) > 0 {
				t.Errorf("%s, %s: %s, %d resumed searches, %d parts", kernel, name, r.Status, r.Resumed, len(r.Parts))
			}
		}
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
		if got.Status != want.Status || !got.SameSearches(want) || got.Resumed != 0 {
			t.Errorf("%s, %s was wanted; %d resumed searches", got.Verdict(), want.Verdict(), got.Resumed)
		}
	}
}
