package submission

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"g500/report"
)

// file is a file of a submission.
type file struct {
	name string
	text []byte
}

// files are what a submission of a run that meets the rules consists of. The checksums are of all but the description
// of the system, which is completed by hand.
func (r Run) files(rules []Rule) ([]file, error) {
	stored, err := report.Stored(r.Dir)
	if err != nil {
		return nil, fmt.Errorf("submission: %w", err)
	}
	all := []file{{"README", []byte(readme)}, {report.File, stored}}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"official.txt", r.WriteOfficial},
		{"output.txt", r.WriteSpec},
		{"searches.csv", r.WriteCSV},
		{"rules.txt", func(w io.Writer) error { return Write(w, rules, r.Remarks()) }},
	} {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			return nil, err
		}
		all = append(all, file{f.name, b.Bytes()})
	}
	return append(all, file{"SHA256SUMS", checksums(all)}, file{"system.txt", []byte(r.System())}), nil
}

const readme = `A submission to the Graph500 list, BFS, made by g500.

output.txt    the output block under the names of the specification V2.0
official.txt  the same under the names of the official program 3.0.1
system.txt    the description of the system: complete the lines that say ` + toFill + `
run.json      everything that is known of the run: each time, the configuration, the environment
searches.csv  the searches as a table
rules.txt     the rules of the list and how the run meets them; remarks
SHA256SUMS    of all but system.txt: sha256sum -c SHA256SUMS
`

// checksums lists the files in the form of sha256sum.
func checksums(files []file) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.text), f.name)
	}
	return b.Bytes()
}

// Pack writes the submission of a run that meets all rules into a new folder, or, where the name ends in .tar, .tar.gz
// or .tgz, into an archive of one.
func (r Run) Pack(path string, rules []Rule) error {
	if !Met(rules) {
		return errors.New("submission: nothing is packed of a run that breaks a rule")
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("submission: %s is there already; name another place with --output, or remove it", path)
	}
	files, err := r.files(rules)
	if err != nil {
		return err
	}
	partial := path + ".partial"
	if err := errors.Join(os.RemoveAll(partial), r.write(partial, path, files)); err != nil {
		return fmt.Errorf("submission: nothing was packed: %w", errors.Join(err, os.RemoveAll(partial)))
	}
	return os.Rename(partial, path)
}

// write writes the files at a place, in the form that the ending of the name says.
func (r Run) write(place, name string, files []file) error {
	for _, ending := range []string{".tar", ".tar.gz", ".tgz"} {
		if folder, archive := strings.CutSuffix(filepath.Base(name), ending); archive {
			return r.archive(place, folder, files, ending != ".tar")
		}
	}
	switch ending := filepath.Ext(name); ending {
	case ".zip", ".gz", ".bz2", ".xz", ".zst", ".7z":
		return fmt.Errorf("no archive ending in %s can be written: name a folder, or a file ending in .tar, .tar.gz or .tgz",
			ending)
	}
	if err := os.MkdirAll(place, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(place, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// archive writes the files into a tar archive, dated as the run is: the same run gives the same bytes.
func (r Run) archive(path, folder string, files []file, zipped bool) error {
	date, err := time.Parse(time.RFC3339, r.Environment.Started)
	if err != nil {
		return fmt.Errorf("the run has no date: %w", err)
	}
	var text bytes.Buffer
	var w io.WriteCloser = nopCloser{&text}
	if zipped {
		w = gzip.NewWriter(&text)
	}
	archive := tar.NewWriter(w)
	for _, f := range files {
		head := &tar.Header{Name: folder + "/" + f.name, Mode: 0o644, Size: int64(len(f.text)), ModTime: date}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	if err := errors.Join(archive.Close(), w.Close()); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// nopCloser is a writer that needs no end.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
