// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"g500/bench"
	"g500/graph"
	"g500/internal/infile"
)

// mostListBytes is the maximum length of a list of results.
const mostListBytes = 16 << 20

// readList reads a list of results. Names of files are relative to its folder.
func readList(path string) (results []bench.StoredResult, err error) {
	text, err := infile.Small(path, "the list of results", mostListBytes)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", path, err)
	}
	if len(rows) < 2 || !slices.Contains(rows[0], "root") || !slices.Contains(rows[0], "tree") {
		return nil, fmt.Errorf("list %s has no results, or no column root or tree: its first line names the columns root, "+
			"tree, distances, seconds, and each other line has a result", path)
	}
	for i, row := range rows[1:] {
		of, err := listedResult(rows[0], row, filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("list %s, result %d: %w", path, i+1, err)
		}
		results = append(results, of)
	}
	return results, nil
}

// listedResult parses a row of a list with these columns in a folder. Other columns have no meaning.
func listedResult(columns, row []string, folder string) (of bench.StoredResult, err error) {
	file := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(folder, name)
	}
	for c, text := range row {
		switch columns[c] {
		case "root":
			root, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return of, fmt.Errorf("the root %q is no label: write a whole number", text)
			}
			of.Root = graph.Global(root)
		case "tree":
			of.Tree = file(text)
		case "distances":
			of.Distances = file(text)
		case "seconds":
			of.Seconds, err = strconv.ParseFloat(text, 64)
			if within := limits["validate seconds"]; err != nil || !(within.Low <= of.Seconds && of.Seconds <= within.High) {
				return of, fmt.Errorf("the time %q is none: write the seconds of the search, from %g to %g",
					text, within.Low, within.High)
			}
		}
	}
	if of.Tree == "" {
		return of, fmt.Errorf("it has no tree: name its file")
	}
	return of, nil
}
