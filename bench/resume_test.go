package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"g500/bfs"
	"g500/record"
)

// cutOffIn interrupts a run on one rank in its folder after that many searches.
func cutOffIn(t *testing.T, c record.Config, searches int) {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	s := faultySetup(c, searches+1, func(int, bfs.HostTree) error { interrupt(); return nil })
	if r, err := run(ctx, 1, s); err != nil || r.Done() != searches {
		t.Fatalf("%d searches, error %v", r.Done(), err)
	}
}

// filesOf reads all files of a folder, without those below it and without the lock.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil && e.Name() != lockFile {
			files[e.Name()] = string(text)
		}
	}
	return files
}

func resume(t *testing.T, dir string) (*record.Run, error) {
	t.Helper()
	return run(context.Background(), 1, resuming(t, dir))
}

// A run is not resumed if a search has another root than the run's key.
func TestResumedSearchesAreOfTheRunsKeys(t *testing.T) {
	for meaning, change := range map[string]func(line []byte) []byte{
		"a foreign root": func(line []byte) []byte {
			return regexp.MustCompile(`"root":\d+`).ReplaceAll(line, []byte(`"root":1`))
		},
		"another key's root": func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"key":2,`), []byte(`"key":40,`), 1)
		},
	} {
		c := config(9)
		c.Output.Dir = t.TempDir()
		cutOffIn(t, c, 5)
		path := filepath.Join(c.Output.Dir, record.SearchesFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		before := lines[2]
		if lines[2] = change(before); bytes.Equal(lines[2], before) {
			t.Fatal("nothing was changed")
		}
		if err := os.WriteFile(path, bytes.Join(lines, nil), 0o644); err != nil {
			t.Fatal(err)
		}
		folder := filesOf(t, c.Output.Dir)
		r, err := resume(t, c.Output.Dir)
		if r != nil || err == nil || !strings.Contains(err.Error(), "of the run to resume has root") {
			t.Errorf("%s: run %v, error %v", meaning, r, err)
		}
		if after := filesOf(t, c.Output.Dir); !reflect.DeepEqual(folder, after) {
			t.Errorf("%s: the folder of the run has changed", meaning)
		}
	}
}

// The time of kernel 1 is on disk before the first search. A resumed run has the times of all parts.
func TestConstructionsOfAllParts(t *testing.T) {
	c := config(9)
	c.Output.Dir = t.TempDir()
	var built float64
	look := func(int, bfs.HostTree) error {
		stored, err := record.Read(c.Output.Dir)
		if err == nil {
			built = stored.Kernels[0].ConstructionSeconds
		}
		return errors.Join(err, errors.New("killed"))
	}
	if _, err := run(context.Background(), 1, faultySetup(c, 4, look)); err == nil || built <= 0 {
		t.Fatalf("kernel 1 took %g s, error %v", built, err)
	}
	r, err := resume(t, c.Output.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var summary bytes.Buffer
	if err := r.WriteSummary(&summary); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("kernel 1 of part 1, which was cut off after 2 searches, took %s\n", record.FormatSeconds(built))
	if len(r.Parts) != 1 || r.Parts[0].ConstructionSeconds != built || !strings.Contains(summary.String(), want) {
		t.Errorf("parts %+v; no %q in\n%s", r.Parts, want, summary.String())
	}
}
