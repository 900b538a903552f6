package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// caseFile is a row of answers.csv: a graph file and how a reader must answer it.
type caseFile struct {
	path            string
	read            bool  // or refused
	vertices, edges int64 // -1 if the row names none
	options         string
	weighted        bool   // its format carries weights for shortest paths
	roots           string // file of roots that belongs to it, "" for none
	large           bool   // searches take long
}

// unsupported names the files of answers.csv that the program refuses although the answer is "read".
var unsupported = map[string]bool{
	"Made.tar.gz": true, "tarred.mtx.gz": true, "c.mtx.xz": true, "c.mtx.zip": true, "c.mtx.zst": true, "ligra.adj": true,
	"snap-bigid.txt": true, "snap-sparse-labels.txt": true,
}

// optionsOf finds the options that a file needs, in a note such as "with labels=renumber; without: refusal says so".
var optionsOf = regexp.MustCompile(`^with ([a-z]+=[a-z,]+)`)

// readCases reads answers.csv, and adds the weighted files that have no row there because they are about shortest
// paths.
func readCases(folder string) ([]caseFile, error) {
	f, err := os.Open(filepath.Join(folder, "answers.csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	var all []caseFile
	for _, row := range rows[1:] {
		c := caseFile{path: filepath.Join(folder, row[0]), read: row[1] == "read", vertices: number(row[2]),
			edges: number(row[3])}
		if option := optionsOf.FindStringSubmatch(row[4]); option != nil {
			c.options = "," + option[1]
		}
		c.weighted = c.read && strings.HasSuffix(row[0], ".gr") && !strings.Contains(row[0], "negative")
		if !unsupported[row[0]] {
			all = append(all, c)
		}
	}
	return append(all,
		caseFile{path: filepath.Join(folder, "sssp-hang-ring.gr"), read: true, vertices: 67, edges: 67, weighted: true,
			roots: filepath.Join(folder, "sssp-hang-root.txt")},
		caseFile{path: filepath.Join(folder, "sssp-hang-grid.gr.gz"), read: true, vertices: -1, edges: -1, weighted: true,
			large: true},
	), nil
}

// number reads a whole number, and returns -1 for an empty cell.
func number(cell string) int64 {
	n, err := strconv.ParseInt(cell, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
