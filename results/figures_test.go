//go:build results

package results

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"g500/analysis/collect"
)

var update = flag.Bool("update", false, "rewrite the tables of figures")

// all unpacks all sets.
func all(t *testing.T) (dir string) { return Unpack(t, ".", "*/*") }

// A set has the figures of its runs as a table.
func TestFiguresAreOfTheRuns(t *testing.T) {
	dir, tables := all(t), 0
	sets, err := filepath.Glob("*/*/" + Pack)
	if err != nil {
		t.Fatal(err)
	}
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
		var want bytes.Buffer
		if err = set.WriteCSV(&want); err == nil && *update {
			err = os.WriteFile(table, want.Bytes(), 0o644)
		}
		got, err2 := os.ReadFile(table)
		if tables++; err != nil || err2 != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s differs from its runs: go test -tags results ./results -update (%v, %v)", table, err, err2)
		}
	}
	if tables == 0 {
		t.Error("no set has runs")
	}
}
