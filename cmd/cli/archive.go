// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"g500/bench"
	"g500/internal/infile"
)

// archiveEnding is the ending of the name of an archive of runs.
const archiveEnding = ".tar.gz"

// Limits of an archive: bytes of its unpacked content, and records. Tests lower them.
var (
	ArchiveBytes   int64 = 4 << 30
	ArchiveRecords       = 10_000
)

// Runs is a folder with runs or studies.
type Runs struct {
	Dir   string // where its records can be read
	Name  string // its path for people and for links: of an archive, the folder that unpacking it makes
	Close func()
}

// Named returns an error with the folder's path for people.
func (f Runs) Named(err error) error {
	if f.Dir == f.Name {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), f.Dir, f.Name))
}

// OpenRuns returns the folder of this path or, for an archive, a temporary folder with the files
// that have the names of records, which Close removes.
func OpenRuns(path string, records []string) (Runs, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(path, archiveEnding) {
		return Runs{path, path, func() {}}, nil // readers of the folder report what is wrong with it
	}
	temporary, err := os.MkdirTemp("", "g500-report-")
	if err != nil {
		return Runs{}, fmt.Errorf("cannot unpack %s: %w: set TMPDIR to a folder with free space", path, err)
	}
	runs := Runs{temporary, strings.TrimSuffix(path, archiveEnding), func() { os.RemoveAll(temporary) }}
	if err := unpackRecords(path, temporary, records); err != nil {
		runs.Close()
		return Runs{}, fmt.Errorf("cannot read the archive %s: %w", path, runs.Named(err))
	}
	if entries, err := os.ReadDir(temporary); err == nil && len(entries) == 1 && entries[0].IsDir() {
		runs.Dir = filepath.Join(temporary, entries[0].Name())
		runs.Name = filepath.Join(filepath.Dir(path), entries[0].Name())
	}
	return runs, nil
}

// unpackRecords writes the records in an archive into a folder. It refuses one that writes elsewhere or fills the disk.
func unpackRecords(from, into string, names []string) error {
	file, err := infile.OpenRegular(from, "the archive")
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return errors.New("it is not compressed by gzip: pack the folder again, by tar -czf")
	}
	content := &io.LimitedReader{R: unpacked, N: ArchiveBytes}
	archive := tar.NewReader(content)
	for records, bytes := 0, int64(0); ; {
		entry, err := archive.Next()
		if err == io.EOF {
			if _, err = io.Copy(io.Discard, content); err == nil && content.N > 0 { // gzip's checksum is at its end
				return nil
			}
		}
		isRecord := err == nil && slices.ContainsFunc(names, func(pattern string) bool {
			matches, _ := path.Match(pattern, path.Base(entry.Name))
			return matches
		})
		if isRecord {
			records++
			bytes += entry.Size // of a sparse file, more than it takes in the archive
		}
		switch {
		case content.N <= 0 || records > ArchiveRecords || bytes > ArchiveBytes || isRecord && entry.Size > infile.Records:
			return fmt.Errorf("it has more than %d records, one of more than %s, or unpacks to more than %s: "+
				"unpack it, and name its folder", ArchiveRecords, bench.Bytes(infile.Records), bench.Bytes(ArchiveBytes))
		case err != nil:
			return errDamagedArchive
		case !filepath.IsLocal(entry.Name):
			return fmt.Errorf("its entry %.80q leads out of a folder: pack the folder by tar -C PARENT -czf", entry.Name)
		case entry.Typeflag != tar.TypeReg && entry.Typeflag != tar.TypeDir:
			return fmt.Errorf("its entry %.80q is neither a file nor a folder: pack a folder without links", entry.Name)
		case isRecord && entry.Typeflag == tar.TypeReg:
			if err := unpackFile(filepath.Join(into, entry.Name), archive); err != nil {
				return fmt.Errorf("its entry %.80q: %w", entry.Name, err)
			}
		}
	}
}

var errDamagedArchive = errors.New("it is damaged or cut off: copy it again")

// unpackFile writes a file, which must not exist, and the folders above it.
func unpackFile(path string, content io.Reader) error {
	text, err := io.ReadAll(content)
	if err != nil {
		return errDamagedArchive
	}
	err = os.MkdirAll(filepath.Dir(path), 0o700)
	if _, missing := os.Lstat(path); err == nil && missing == nil {
		err = fs.ErrExist
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot be unpacked: %w: pack the folder again, or set TMPDIR to a folder with free space", err)
	}
	return nil
}
