// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"g500/internal/infile"
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
		run.Contradiction = absent.Error()
	default:
		run.Contradiction = "run.json contradicts itself: " + err.Error()
	}
	run.Settle()
	return run, nil
}
