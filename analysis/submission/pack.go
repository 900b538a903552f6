// SPDX-License-Identifier: Apache-2.0

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

	"g500/internal/lists"
	"g500/record"
)

// file is a file of a submission.
type file struct {
	name string
	use  string // description, "" for files that README does not list
	text []byte
}

// files returns the files of a submission of a run that meets the rules. The checksums cover all except the description
// of the system, which is completed by hand.
func (r Run) files(rules []Rule) (all []file, err error) {
	add := func(name, use string, write func(io.Writer) error) {
		var b bytes.Buffer
		err = errors.Join(err, write(&b))
		all = append(all, file{name, use, b.Bytes()})
	}
	add("output.txt", "the output block under the names of the specification V2.0", r.WriteSpec)
	add("official.txt", "the same under the names of the reference code 3.0.1", r.WriteOfficial)
	add(record.File, "all data of the run: each time, the configuration, the environment", r.writeStored)
	for _, k := range r.Kernels {
		add(k.Kernel.TableFile(), "the searches of "+k.Kernel.Abbreviation()+" as a table",
			func(w io.Writer) error { return r.WriteCSV(w, k) })
	}
	if unpruned := r.Unpruned; unpruned != nil {
		add("unpruned-output.txt", "the output block of the same run on an unpruned structure", unpruned.WriteSpec)
		add("unpruned-run.json", "all data of it", unpruned.writeStored)
		for _, k := range r.prunedKernels() {
			add("unpruned-"+k.Kernel.TableFile(), "its searches of "+k.Kernel.Abbreviation(),
				func(w io.Writer) error { return unpruned.WriteCSV(w, *unpruned.KernelRun(k.Kernel)) })
		}
	}
	add("rules.txt", "the rules of the list and how the run meets them; remarks",
		func(w io.Writer) error { return Write(w, rules, r.Remarks()) })
	all = append([]file{{"README", "", r.readme(all)}}, all...)
	return append(all, file{"SHA256SUMS", "", checksums(all)}, file{"system.txt", "", []byte(r.System())}), err
}

// writeStored writes the run as it was stored.
func (r Run) writeStored(w io.Writer) error {
	text, err := record.Stored(r.Dir)
	if err != nil {
		return fmt.Errorf("submission: %w", err)
	}
	_, err = w.Write(text)
	return err
}

// readme describes the files.
func (r Run) readme(files []file) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "A submission to the Graph500 list, %s, made by g500.\n\n", kernelNames(r.Kernels))
	for _, f := range append(files,
		file{"system.txt", "the description of the system: complete the lines with " + toFill, nil},
		file{"SHA256SUMS", "of all files except system.txt: sha256sum -c SHA256SUMS", nil}) {
		fmt.Fprintf(&b, "%-20s %s\n", f.name, f.use)
	}
	return b.Bytes()
}

// kernelNames returns the list's names of kernels.
func kernelNames(kernels []record.KernelRun) string {
	names := lists.Of(kernels, func(k record.KernelRun) string { return k.Kernel.Abbreviation() })
	return strings.Join(names, " and ")
}

// checksums lists the files in the format of sha256sum.
func checksums(files []file) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.text), f.name)
	}
	return b.Bytes()
}

// Pack writes the submission of a run that meets all rules to a new folder or, if the name ends in .tar, .tar.gz or
// .tgz, to an archive.
func (r Run) Pack(path string, rules []Rule) error {
	if len(Broken(rules)) > 0 {
		return errors.New("submission: the run breaks a rule, and is not packed")
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("submission: %s exists; name another place with --output, or remove it", path)
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

// write writes the files at a place, in the format of the name's ending.
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
	if err := os.MkdirAll(place, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(place, f.name), f.text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// archive writes the files to a tar archive with the date of the run, so that the same run gives the same bytes.
func (r Run) archive(path, folder string, files []file, zipped bool) error {
	date, err := time.Parse(time.RFC3339, r.Environment.Started)
	if err != nil {
		return fmt.Errorf("the run has no date: %w", err)
	}
	var text bytes.Buffer
	var to io.Writer = &text
	compressed := gzip.NewWriter(&text)
	if zipped {
		to = compressed
	}
	archive := tar.NewWriter(to)
	for _, f := range files {
		head := &tar.Header{Name: folder + "/" + f.name, Mode: 0o644, Size: int64(len(f.text)), ModTime: date}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	if err = archive.Close(); zipped {
		err = errors.Join(err, compressed.Close())
	}
	return errors.Join(err, os.WriteFile(path, text.Bytes(), 0o666))
}
