package record

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

var csvHeader = []string{
	"key", "root", "seconds", "edges", "edges_with_self_loops", "teps",
	"reached_vertices", "levels", "validate_seconds", "fault",
}

// WriteCSV writes one row per search of BFS. Every status can be written; the column teps is empty unless the whole
// run is valid.
func (r *Run) WriteCSV(w io.Writer) error { return r.writeCSV(w, csvHeader, r.Searches) }

// WritePathsCSV writes the same of SSSP, with a column that says by what the structure was pruned; levels are vertices
// on the path that has most of them.
func (r *Run) WritePathsCSV(w io.Writer) error {
	return r.writeCSV(w, append(slices.Clone(csvHeader), "prune"), r.paths().Searches, cmp.Or(r.Pruned(), "none"))
}

// writeCSV writes a row for each search, which ends with what is the same for all.
func (r *Run) writeCSV(w io.Writer, header []string, searches []Search, same ...string) error {
	status, _ := r.judge()
	out := csv.NewWriter(w)
	rows := [][]string{header}
	for _, s := range searches {
		teps := ""
		if status == Valid {
			teps = shortest(float64(s.Edges) / s.Seconds)
		}
		rows = append(rows, append([]string{
			strconv.Itoa(s.Key), strconv.FormatInt(s.Root, 10), shortest(s.Seconds),
			strconv.FormatInt(s.Edges, 10), strconv.FormatInt(s.EdgesWithLoops, 10), teps,
			strconv.FormatInt(s.Reached, 10), strconv.Itoa(s.Levels), shortest(s.ValidateSeconds), s.Fault,
		}, same...))
	}
	return out.WriteAll(rows)
}

// shortest keeps every digit that tells x from its neighbours.
func shortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
