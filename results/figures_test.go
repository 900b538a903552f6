// SPDX-License-Identifier: Apache-2.0

//go:build results

package results

import (
	"os"
	"path/filepath"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
)

// all unpacks all sets.
func all(t *testing.T) (dir string) { return Unpack(t, ".", "*/*") }

// A set has the figures of its runs as a table: go test -tags results ./results -update.
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
		tables++
		expect.Golden(t, table, expect.Written(t, set.WriteCSV))
	}
	if tables == 0 {
		t.Error("no set has runs")
	}
}
