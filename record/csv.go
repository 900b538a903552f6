// SPDX-License-Identifier: Apache-2.0

package record

import (
	"io"
	"slices"

	"g500/internal/output"
)

// SearchColumns are the columns of Search.Cells.
var SearchColumns = []string{
	"key", "root", "seconds", "edges", "edges_with_self_loops", "teps",
	"reached_vertices", "levels", "validate_seconds", "fault",
}

// WriteCSV writes one row per search of a kernel of a run of any status. The column teps is empty unless the whole run
// is valid. For SSSP, levels is the number of vertices on the longest path in vertices, and a last column names the
// pruning.
func (r *Run) WriteCSV(w io.Writer, k KernelRun) error {
	header, last := SearchColumns, []string(nil)
	if k.Kernel == SSSP {
		header, last = append(slices.Clone(SearchColumns), "prune"), []string{k.Pruning()}
	}
	status, _ := r.verdict()
	rows := [][]string{header}
	for _, s := range k.Searches {
		rows = append(rows, append(s.Cells(status == Valid), last...))
	}
	return output.CSV(w, rows)
}

// Cells returns the figures of a search in base units. It has a rate only in a valid run.
func (s Search) Cells(valid bool) []string {
	teps := ""
	if valid {
		teps = output.Number(float64(s.Edges) / s.Seconds)
	}
	return output.Cells(s.Key, s.Root, s.Seconds, s.Edges, s.EdgesWithLoops, teps, s.Reached, s.Levels, s.ValidateSeconds,
		s.Fault)
}
