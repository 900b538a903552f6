// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/record"
)

// harness looks for figures as a program does that starts the Graph500 reference code and reads its standard output.
// find returns the figures by the harness's names, or the error with which it ends.
type harness struct {
	find func(block string) (map[string]float64, error)
	n    int // figures that it finds in the output of graph500_reference_bfs_sssp
	// The expressions have no negative numbers, or no single digit: figures of skipped parts are not found.
	onlyDone bool
}

// harnesses follow what these programs look for. Their own parsers of 2026 (AKRR: of release 2.1.1 and January 2025)
// find these figures.
var harnesses = map[string]harness{
	"Virtual Client, Graph500MetricsParser": {find: virtualClient, n: 55},
	// It looks for the names of version 2, without bfs: packaging/akrr adds them.
	"AKRR 2.1.1, graph500_parser": {
		find: expressions(`^(SCALE|edgefactor|NBFS|(?:median|harmonic_[a-z]+)_TEPS):\s+(\d[0-9.e+]*)`), n: 3},
	"AKRR, graph500_parser of its main branch": {find: expressions(`^(SCALE|edgefactor|NBFS` +
		`|bfs\s+(?:(?:median|harmonic_mean|harmonic_stddev)_TEPS|(?:median|mean|stddev)_validate)` +
		`|sssp\s+(?:(?:median|harmonic_mean|harmonic_stddev)_TEPS|mean_validate)):[ !]+(\d[0-9.]*(?:e\+\d+)?)`),
		n: 13, onlyDone: true},
	// The reference code's exclamation mark hides the harmonic mean from it.
	"Ramble, application graph500": {find: expressions(`(bfs\s+\w+_(?:TEPS|time|validate)|graph_generation` +
		`|construction_time|SCALE|edgefactor|num_mpi_processes):\s+([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)`),
		n: 25, onlyDone: true},
	"benchkit, benches/graph500": {find: benchkit, n: 55},
	"JUBE, jubench-graph500": {
		find: expressions(`(bfs |sssp) harmonic_mean_TEPS:     !  ([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)`), n: 2},
	"scripts with grep and awk": {find: fourthWord, n: 2},
}

// virtualClient takes every line that is not empty as a name and a number with a colon between, and needs all names.
func virtualClient(block string) (map[string]float64, error) {
	found := map[string]float64{}
	for line := range strings.SplitSeq(strings.NewReplacer("!", "", "-nan", "", "\r", "").Replace(block), "\n") {
		name, value, colon := strings.Cut(line, ":")
		if line != "" && !colon {
			return nil, fmt.Errorf("the line %q has no colon", line)
		}
		if x, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
			found[strings.TrimSpace(name)] = x
		}
	} // it sets the direction of each figure by name, here some of them
	for _, kernel := range []string{"bfs  ", "sssp "} {
		for _, name := range strings.Fields("firstquartile_TEPS firstquartile_time harmonic_mean_TEPS mean_validate") {
			if _, has := found[kernel+name]; !has {
				return nil, fmt.Errorf("%s%s is missing", kernel, name)
			}
		}
	}
	return found, nil
}

// benchkit joins the words of a name by underscores, and takes the text after the last colon.
func benchkit(block string) (map[string]float64, error) {
	found := map[string]float64{}
	for line := range strings.SplitSeq(block, "\n") {
		parts := strings.Split(line, ":")
		value := strings.TrimSpace(strings.ReplaceAll(parts[len(parts)-1], "!", ""))
		if x, err := strconv.ParseFloat(value, 64); err == nil && len(parts) > 1 {
			found[strings.Join(strings.Fields(parts[0]), "_")] = x
		}
	}
	return found, nil
}

// expressions returns a harness with an expression whose groups are a name and a number, for each line.
func expressions(text string) func(string) (map[string]float64, error) {
	expression := regexp.MustCompile(`(?m)` + text)
	return func(block string) (map[string]float64, error) {
		found := map[string]float64{}
		for _, m := range expression.FindAllStringSubmatch(block, -1) {
			x, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, err
			}
			found[m[1]] = x
		}
		return found, nil
	}
}

// fourthWord is grep "bfs  harmonic_mean_TEPS:" | awk '{print $4}', for both kernels.
func fourthWord(block string) (map[string]float64, error) {
	found := map[string]float64{}
	for line := range strings.SplitSeq(block, "\n") {
		for _, key := range []string{"bfs  harmonic_mean_TEPS:", "sssp harmonic_mean_TEPS:"} {
			if words := strings.Fields(line); strings.Contains(line, key) && len(words) > 3 {
				x, err := strconv.ParseFloat(words[3], 64)
				if err != nil {
					return nil, err
				}
				found[key] = x
			}
		}
	}
	return found, nil
}

// Every harness finds in the standard output of this program, under the name of the reference code, what it finds in
// the output of the reference code itself, also if results are not validated.
func TestHarnessesOfTheReferenceCode(t *testing.T) {
	original := read(t, "../../record/testdata/official_both.txt")
	for _, skip := range []string{"", "SKIP_VALIDATION", "SKIP_BFS"} {
		if skip != "" {
			t.Setenv(skip, "1")
		}
		var out, errOut bytes.Buffer
		status := runReference("graph500_reference_bfs_sssp", []string{"8", "16"}, &out, &errOut, &errOut)
		if status != success {
			t.Fatalf("status %d\n%s", status, &errOut)
		}
		for name, h := range harnesses {
			want, err := h.find(original)
			if err != nil || len(want) != h.n {
				t.Fatalf("%s finds %d figures of the reference code, not %d (%v)", name, len(want), h.n, err)
			}
			if skip != "" && h.onlyDone {
				continue // nor does it in the output of the reference code
			}
			got, err := h.find(out.String())
			names := slices.Sorted(maps.Keys(got))
			for _, figure := range names {
				if skip == "" && !(got[figure] > 0) && !strings.Contains(figure, "stddev") {
					t.Errorf("%s: %s is %v", name, figure, got[figure])
				}
			}
			if wanted := slices.Sorted(maps.Keys(want)); err != nil || !slices.Equal(names, wanted) {
				t.Errorf("%s, %q set: it finds %q, not %q (%v)", name, skip, names, wanted, err)
			}
		}
	}
}

// Skipped validation is no excuse for a run that ends early or is wrong.
func TestReferenceAcceptsOnlyTheSkipped(t *testing.T) {
	for _, skip := range []bool{false, true} {
		ref := &referenceMode{skipValidation: skip}
		for status, want := range map[record.Status]bool{record.Valid: true, record.Unvalidated: skip, record.Invalid: false,
			record.Incomplete: false, record.Inconsistent: false} {
			if ref.accepts(status) != want {
				t.Errorf("validation skipped %v: %s is accepted, or VALID is not", skip, status)
			}
		}
	}
}
