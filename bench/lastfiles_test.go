package bench

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"g500/comm"
	"g500/record"
)

// runAll runs the benchmark on loopback and returns all ranks' reports.
func runAll(ctx context.Context, ranks int, s Setup) ([]*record.Run, error) {
	results := make([]*record.Run, ranks)
	err := comm.Loopback(ranks, func(t comm.Transport) (err error) {
		results[t.Rank()], err = Run(ctx, t, s)
		return err
	})
	return results, err
}

// completed reads a run that lacks only files, writes them, and reads it again.
func completed(t *testing.T, dir string) *record.Run {
	t.Helper()
	r, c, err := LoadEarlier(dir)
	if err != nil || !AllSearched(r, c) {
		t.Fatalf("error %v, the run is %s", err, r.Status)
	}
	r.Failure = ""
	r.Settle()
	if err := WriteLastFiles(dir, r); err != nil {
		t.Fatal(err)
	}
	stored, _, err := ReadStored(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := CompareStored(dir, stored); err != nil {
		t.Error(err)
	}
	if _, _, err := LoadEarlier(dir); err == nil || !strings.Contains(err.Error(), "has ended "+string(stored.Status)) {
		t.Errorf("the run can be resumed again: %v", err)
	}
	return stored
}

// A run whose last file cannot be written is INVALID on every rank. If writing is possible again, the missing files are
// written, and the run equals one that was never cut off: it has a single part.
func TestRunWhoseFilesAreNotStoredIsNotValid(t *testing.T) {
	for kernel, names := range map[string][]string{
		"bfs": {tableFile, officialFile}, "sssp": {pathsFile, officialFile}, "both": {tableFile, pathsFile},
	} {
		for _, name := range names {
			c := configOf(kernel, 8)
			c.Output.Dir = t.TempDir()
			blocked := filepath.Join(c.Output.Dir, name+".new") // a folder where the file is to be written
			if err := os.Mkdir(blocked, 0o755); err != nil {
				t.Fatal(err)
			}
			runs, err := runAll(context.Background(), 2, hybrid(c))
			for rank, r := range runs {
				if r == nil || r.Status == record.Valid {
					t.Errorf("%s, %s: rank %d is valid", kernel, name, rank)
				}
			}
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "--resume "+c.Output.Dir) {
				t.Errorf("%s, %s: error %v", kernel, name, err)
			}
			if err := os.Remove(blocked); err != nil {
				t.Fatal(err)
			}
			if r := completed(t, c.Output.Dir); r.Status != record.Valid || r.Resumed > 0 || len(r.Parts) > 0 {
				t.Errorf("%s, %s: %s, %d resumed searches, %d parts", kernel, name, r.Status, r.Resumed, len(r.Parts))
			}
		}
	}
}

// A run that was killed between its last search and its last file has run.json as it was after kernel 1.
func TestRunThatWasKilledAfterItsLastSearch(t *testing.T) {
	for _, change := range []func(c *Config){
		func(*Config) {},
		func(c *Config) { c.Search.Validate = false },
		func(c *Config) { c.Search.MinTime = Duration(time.Nanosecond) },
	} {
		c := configOf("both", 8)
		c.Output.Dir = t.TempDir()
		change(&c)
		want, err := run(context.Background(), 1, hybrid(c))
		if err != nil {
			t.Fatal(err)
		}
		begun, paths := *want, *want.Paths
		paths.Searches = nil
		begun.Searches, begun.Paths = nil, &paths
		if err := (&Store{dir: c.Output.Dir}).replace(runFile, begun.WriteJSON); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{officialFile, tableFile, pathsFile} {
			if err := os.Remove(filepath.Join(c.Output.Dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		got := completed(t, c.Output.Dir)
		if got.Status != want.Status || !reflect.DeepEqual(got.Searches, want.Searches) || got.Resumed != 0 ||
			!reflect.DeepEqual(got.Paths, want.Paths) {
			t.Errorf("%s, %s was wanted; %d resumed searches", got.Verdict(), want.Verdict(), got.Resumed)
		}
	}
}

// Power is measured after the searches: a run that lacks it has work to do.
func TestRunThatLacksPowerIsNotComplete(t *testing.T) {
	r := &record.Run{Status: record.Incomplete, Keys: 1, Searches: []record.Search{{Seconds: 1, Edges: 1, Reached: 2}}}
	if c := (Config{}); !AllSearched(r, c) {
		t.Error("a run with all searches lacks more than files")
	}
	if c := (Config{Search: SearchConfig{Power: true}}); AllSearched(r, c) {
		t.Error("a run that lacks its power lacks only files")
	}
}
