package record

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The files of an output folder. If a folder has the run's file both as it is written and packed by gzip, as runs are
// kept, the first counts.
const (
	File         = "run.json" // the whole run; INCOMPLETE until it has ended
	PackedFile   = File + ".gz"
	SearchesFile = "searches.jsonl" // one line per search, on disk before the next search begins
	officialFile = "official.txt"   // the output block, of a run that may have one
)

// TableFile is the file of a kernel's searches as a table.
func (k Kernel) TableFile() string {
	if k == BFS {
		return "searches.csv"
	}
	return string(k) + ".csv"
}

// DerivedFile is a file that follows from the run.
type DerivedFile struct {
	Name  string
	Write func(io.Writer) error
}

// DerivedFiles are the files of an output folder that follow from the run.
func (r *Run) DerivedFiles() (files []DerivedFile) {
	for _, k := range r.Kernels {
		files = append(files, DerivedFile{k.Kernel.TableFile(), func(w io.Writer) error { return r.WriteCSV(w, k) }})
	}
	if r.Status == Valid || r.Status == Unvalidated {
		files = append(files, DerivedFile{officialFile, r.writeOfficialFile})
	}
	return files
}

// writeOfficialFile writes the output block and the verdict below it.
func (r *Run) writeOfficialFile(w io.Writer) error {
	if err := r.WriteOfficial(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, r.Verdict())
	return err
}

// CompareFiles returns an error if a file of the run's output folder is missing or differs from the run. The list of
// searches may be missing, since kept runs lack it.
func (r *Run) CompareFiles(dir string) error {
	for _, file := range r.DerivedFiles() {
		got, err := os.ReadFile(filepath.Join(dir, file.Name))
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", file.Name, err)
		}
		var want bytes.Buffer
		if err := file.Write(&want); err != nil {
			return err
		}
		if !bytes.Equal(got, want.Bytes()) {
			return fmt.Errorf("%s is not what %s gives", file.Name, File)
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

// Stored returns the JSON of the run in a folder, unpacked. The error is fs.ErrNotExist if the folder has no run.
func Stored(dir string) ([]byte, error) {
	text, missing := os.ReadFile(filepath.Join(dir, File))
	if !errors.Is(missing, fs.ErrNotExist) {
		return text, missing
	}
	packed, err := os.ReadFile(filepath.Join(dir, PackedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		text, err = io.ReadAll(unpacked)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %s is damaged: %w", filepath.Join(dir, PackedFile), err)
	}
	return text, nil
}

// Read reads the run in a folder. If its record contradicts itself, the run's Contradiction describes the contradiction
// and its status is Inconsistent; that is no error. The error is fs.ErrNotExist if the folder has no run.
func Read(dir string) (*Run, error) {
	text, err := Stored(dir)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Parse reads a run from the text of its record, as Read does from its folder.
func Parse(text []byte) (*Run, error) {
	run, stored, err := decode(text)
	if err != nil {
		return nil, err
	}
	if err = Check(run); err == nil {
		err = checkDerived(run, stored)
	}
	if err != nil {
		run.Contradiction = "run.json contradicts itself: " + err.Error()
		run.Settle()
	}
	return run, nil
}
