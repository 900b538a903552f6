// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"io"
	"maps"
	"slices"

	"g500/internal/output"
	"g500/record"
)

// Everything returns CSV files with every figure of every run, by their names: a row per run and kernel, per search,
// and per step of a traced search.
func (s *Set) Everything() map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"all-runs.csv": s.writeAllRuns, "all-searches.csv": s.writeAllSearches, "all-steps.csv": s.writeAllSteps,
	}
}

// writeAllRuns writes the rows of WriteCSV, each followed by the other members of the run's JSON in alphabetical order:
// a member with the name of a column has that column's value, and readers of tables need one column per name.
func (s *Set) writeAllRuns(w io.Writer) error {
	of, paths := make([]map[string]string, len(s.Runs)), map[string]bool{}
	for i, run := range s.Runs {
		members, err := run.Members(run.Kernel)
		if err != nil {
			return err
		}
		for path := range members {
			paths[path] = true
		}
		of[i] = members
	}
	for _, column := range csvHeader {
		delete(paths, column)
	}
	columns := slices.Sorted(maps.Keys(paths))
	rows := [][]string{slices.Concat(csvHeader, columns)}
	for i, run := range s.Runs {
		row := s.row(run)
		for _, path := range columns {
			row = append(row, of[i][path])
		}
		rows = append(rows, row)
	}
	return output.CSV(w, rows)
}

func (s *Set) writeAllSearches(w io.Writer) error {
	rows := [][]string{slices.Concat([]string{"folder", "kernel", "prune"}, record.SearchColumns)}
	for _, run := range s.Runs {
		name := []string{run.Folder, string(run.Kernel), run.Pruning()}
		for _, search := range run.Searches {
			rows = append(rows, slices.Concat(name, search.Cells(run.Status == record.Valid)))
		}
	}
	return output.CSV(w, rows)
}

func (s *Set) writeAllSteps(w io.Writer) error {
	rows := [][]string{{"folder", "kernel", "prune", "key", "number", "step", "variant", "frontier", "edges", "seconds",
		"ranks"}}
	for _, run := range s.Runs {
		for _, search := range run.Searches {
			for i, step := range search.Trace {
				var ranks []byte
				if step.Ranks != nil {
					var err error
					if ranks, err = output.JSONLine(step.Ranks); err != nil {
						return err
					}
				}
				rows = append(rows, output.Cells(run.Folder, run.Kernel, run.Pruning(), search.Key, i, step.Step, step.Variant,
					step.Frontier, step.Edges, step.Seconds, string(ranks)))
			}
		}
	}
	return output.CSV(w, rows)
}
