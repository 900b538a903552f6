// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/analysis/submission"
	"g500/docs/schema"
	"g500/internal/expect"
	"g500/internal/schematest"
	"g500/record"
)

// all unpacks all sets.
func all(t *testing.T) (dir string) { return Unpack(t, ".", "*/*") }

// A set has the figures of its runs as a table: go test -tags results ./results -update.
func TestFiguresAreOfTheRuns(t *testing.T) {
	dir, tables := all(t), 0
	sets, err := filepath.Glob("*/*/" + Pack)
	expect.NoError(t, err)
	for _, pack := range sets {
		folder := filepath.Dir(pack)
		table := filepath.Join(folder, "figures.csv")
		set, err := collect.Read(filepath.Join(dir, folder))
		if err != nil { // a set without runs
			if _, err := os.Stat(table); err == nil {
				t.Errorf("%s is a table of no run", table)
			}
			continue
		}
		tables++
		expect.Golden(t, table, expect.Written(t, set.WriteCSV))
	}
	if tables == 0 {
		t.Error("no set has runs")
	}
}

// Every stored run follows the schema of the present format.
func TestKeptRunsFollowTheSchema(t *testing.T) {
	text, err := schema.Of(fmt.Sprintf("run-%d", record.Format))
	expect.NoError(t, err)
	validator, err := schematest.NewValidator(text)
	expect.NoError(t, err)
	runs := 0
	err = filepath.WalkDir(all(t), func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(name) != record.File {
			return err
		}
		runs++
		text, err := os.ReadFile(name)
		if err == nil {
			err = validator.Check(text)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil || runs == 0 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// The runs that are kept could be submitted, but for those of programs whose parents on GPUs were too short, and for
// nothing else. Beside a run on a pruned structure lies the same one on a whole structure.
func TestKeptResultsMeetTheRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(all(t), "*/*/*", record.File))
	if err != nil || len(files) == 0 {
		t.Fatalf("no results found: %v", err)
	}
	for _, file := range files {
		r := expect.Value(submission.Open(filepath.Dir(file)))(t)
		if r.Pruned() != "" {
			whole := expect.Value(submission.Open(strings.Replace(r.Dir, "prune-hub", "prune-none", 1)))(t)
			r.Unpruned = &whole
		}
		var got, want []string
		for _, rule := range submission.Broken(r.Check()) {
			got = append(got, rule.Name)
		}
		if r.ResultBits < 48 {
			want = []string{"48-bit parents at least"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s breaks %q, want %q", file, got, want)
		}
	}
}
