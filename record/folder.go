// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	"g500/internal/infile"
	"g500/internal/output"
)

// The files of an output folder.
const (
	File         = "run.json"       // the whole run; INCOMPLETE until it has ended
	SearchesFile = "searches.jsonl" // one line per search, on disk before the next search begins
	officialFile = "official.txt"   // the output block, of a run that may have one
)

// TableFile returns the name of the file with a kernel's searches as a table.
func (k Kernel) TableFile() string {
	if k == BFS {
		return "searches.csv"
	}
	return string(k) + ".csv"
}

// DerivedFile is a file of an output folder whose content follows from the run.
type DerivedFile struct {
	Name  string
	Write func(io.Writer) error
}

// DerivedFiles returns the derived files of the run.
func (r *Run) DerivedFiles() (files []DerivedFile) {
	for _, k := range r.Kernels {
		files = append(files, DerivedFile{k.Kernel.TableFile(), func(w io.Writer) error { return r.WriteCSV(w, k) }})
	}
	if r.Status == Valid || r.Status == Unvalidated {
		files = append(files, DerivedFile{officialFile, func(w io.Writer) error {
			err := r.WriteOfficial(w)
			if err == nil {
				_, err = fmt.Fprintln(w, r.Verdict())
			}
			return err
		}})
	}
	return files
}

// CompareFiles returns an error if a derived file is missing in the run's folder or differs from the run, or if the
// list of searches differs. The list may be missing, because stored results lack it.
func (r *Run) CompareFiles(dir string) error {
	for _, file := range r.DerivedFiles() {
		got, err := infile.Small(filepath.Join(dir, file.Name), "the searches or the output block", infile.Records)
		if err != nil {
			return err
		}
		var want bytes.Buffer
		if err := file.Write(&want); err != nil {
			return err
		}
		if !bytes.Equal(got, want.Bytes()) {
			return fmt.Errorf("%s differs from %s", file.Name, File)
		}
	}
	list, err := readSearches(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !list.sameAs(r) {
		err = fmt.Errorf("%s holds other searches than %s", SearchesFile, File)
	}
	return err
}

// Stored returns the JSON of the run in a folder. The error is fs.ErrNotExist if the folder has no run.
func Stored(dir string) ([]byte, error) {
	return infile.Small(filepath.Join(dir, File), "the run", infile.Records)
}

// Read reads the run in a folder. A record that contradicts itself is no error: the run's status is then Inconsistent,
// and its Contradiction describes the contradiction. The error is fs.ErrNotExist if the folder has no run.
func Read(dir string) (*Run, error) {
	text, err := Stored(dir)
	if err != nil {
		return nil, err
	}
	run, err := Parse(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return run, err
}

// Parse reads a run from the text of its record, in the same way as Read.
func Parse(text []byte) (*Run, error) {
	run, stored, err := decode(text)
	if err != nil {
		return nil, err
	}
	var absent absentError
	switch err = checkStored(run, stored); {
	case err == nil:
		return run, nil
	case errors.As(err, &absent):
		run.Contradiction = absent.Error() + restore
	default:
		run.Contradiction = "run.json contradicts itself: " + err.Error() + restore
	}
	run.Settle()
	return run, nil
}

// listed is a line of the list of searches.
type listed struct {
	Kernel Kernel `json:"kernel,omitempty"` // "" for BFS
	Search
}

// Line returns a search of the kernel as a line of the list of searches, with its line end.
func (k Kernel) Line(s Search) ([]byte, error) {
	if k == BFS {
		k = ""
	}
	line, err := output.JSONLine(listed{k, s})
	return append(line, '\n'), err
}

// WriteSearches writes the list of the run's searches.
func (r *Run) WriteSearches(w io.Writer) error {
	for _, k := range r.Kernels {
		for _, s := range k.Searches {
			line, err := k.Kernel.Line(s)
			if err == nil {
				_, err = w.Write(line)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// searchList is a list of searches by kernel.
type searchList map[Kernel][]Search

// readSearches reads the list of searches in a folder. It ignores an incomplete last line, which a killed run leaves.
func readSearches(dir string) (searchList, error) {
	path := filepath.Join(dir, SearchesFile)
	text, err := infile.Small(path, "the searches done so far", infile.Records)
	if err != nil {
		return nil, err
	}
	all, n := searchList{}, 0
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		s := listed{Kernel: BFS}
		stored, err := decoded(infile.CleanJSON(line))
		if err == nil {
			err = infile.DecodeJSON(infile.CleanJSON(line), &s)
			setNulls(reflect.ValueOf(&s), stored)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, search %d: %w: %s", path, n, err, otherFile)
		}
		all[s.Kernel] = append(all[s.Kernel], s.Search)
		n++
	}
	return all, nil
}

// sameAs reports whether the list has the searches of all kernels of a run.
func (l searchList) sameAs(run *Run) bool { return reflect.DeepEqual(l, run.searchList()) }

func (r *Run) searchList() searchList {
	all := searchList{}
	for _, k := range r.Kernels {
		if len(k.Searches) > 0 {
			all[k.Kernel] = k.Searches
		}
	}
	return all
}

// SameSearches reports whether two runs have the same searches of all kernels.
func (r *Run) SameSearches(other *Run) bool { return r.searchList().sameAs(other) }

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
