package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// columns are the headings of the table.
var columns = []string{"job", "input", "kernel", "engine", "prune", "transport", "ranks", "end", "exit", "seconds",
	"last line or sentence", "fault", "command"}

// writeTable writes one row per job.
func writeTable(o options, folder string, results []result) error {
	if err := os.MkdirAll(filepath.Dir(o.table), 0o777); err != nil {
		return err
	}
	f, err := os.Create(o.table)
	if err != nil {
		return err
	}
	defer f.Close()
	w := csv.NewWriter(f)
	w.Write(columns) // errors stay until Flush
	for _, r := range results {
		w.Write(r.row(o, folder))
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return f.Close()
}

// row returns the cells of one job.
func (r result) row(o options, folder string) []string {
	j, e := r.job, r.last()
	transport := "loopback"
	if j.mpi {
		transport = "mpi"
	}
	said := verdict(j, e)
	if all := sentences(e); len(all) > 0 {
		said = all[0]
	}
	clean := strings.NewReplacer(folder, "$TMP")
	return []string{strconv.Itoa(j.number), j.input.kind, j.kernel, j.engine, j.prune, transport, strconv.Itoa(j.ranks),
		r.kind(), strconv.Itoa(e.status), fmt.Sprintf("%.2f", r.seconds()), clean.Replace(said),
		clean.Replace(r.fault), strings.Join(r.commands(o, folder), " && ")}
}

// shellLine returns a command line, with $TMP for the folder of temporary files. No argument needs quotes.
func shellLine(command []string, folder string) string {
	return strings.ReplaceAll(strings.Join(command, " "), folder, "$TMP")
}
