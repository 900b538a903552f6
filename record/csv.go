package record

import (
	"io"
	"slices"
	"strconv"

	"g500/internal/output"
)

var csvHeader = []string{
	"key", "root", "seconds", "edges", "edges_with_self_loops", "teps",
	"reached_vertices", "levels", "validate_seconds", "fault",
}

// WriteCSV writes one row per search of a kernel of a run of any status. The column teps is empty unless the whole run
// is valid. For SSSP, levels is the number of vertices on the longest path in vertices, and a last column names the
// pruning.
func (r *Run) WriteCSV(w io.Writer, k KernelRun) error {
	header, last := csvHeader, []string(nil)
	if k.Kernel == SSSP {
		header, last = append(slices.Clone(csvHeader), "prune"), []string{k.Pruning()}
	}
	status, _ := r.verdict()
	rows := [][]string{header}
	for _, s := range k.Searches {
		teps := ""
		if status == Valid {
			teps = output.Number(float64(s.Edges) / s.Seconds)
		}
		rows = append(rows, append([]string{
			strconv.Itoa(s.Key), strconv.FormatInt(s.Root, 10), output.Number(s.Seconds),
			strconv.FormatInt(s.Edges, 10), strconv.FormatInt(s.EdgesWithLoops, 10), teps,
			strconv.FormatInt(s.Reached, 10), strconv.Itoa(s.Levels), output.Number(s.ValidateSeconds), s.Fault,
		}, last...))
	}
	return output.CSV(w, rows)
}
