// SPDX-License-Identifier: Apache-2.0

package agreement

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"g500/internal/infile"
)

// File is the state of an input file on one rank. Files that are not regular, such as pipes, are not compared.
type File struct {
	Name     string // its role, such as "the edge file"
	Path     string
	Regular  bool
	Fault    string // why the file cannot be read; "" if it can
	Bytes    int64
	Modified time.Time
}

// Look returns the state of a file on this rank. An unreadable file is not an error: all ranks may have it.
func Look(name, path string) File {
	f := File{Name: name, Path: path}
	info, err := os.Stat(path)
	var reason *fs.PathError
	switch {
	case errors.As(err, &reason):
		f.Fault = reason.Err.Error()
	case err != nil:
		f.Fault = err.Error()
	default:
		f.Regular = info.Mode().IsRegular()
		f.Bytes, f.Modified = info.Size(), info.ModTime()
	}
	return f
}

// size describes the state of the file without its time.
func (f File) size() string {
	switch {
	case f.Fault != "":
		return "unreadable (" + f.Fault + ")"
	case !f.Regular:
		return "not a regular file"
	}
	return fmt.Sprintf("%d bytes long", f.Bytes)
}

// sameFile is the cure of different files.
const sameFile = "all ranks must read the same file, or equal copies of it"

// firstFileDifference describes the first file whose size differs between a rank and rank 0; "" if there is none.
func firstFileDifference(all []Declaration) string {
	for i, f := range all[0].Files {
		if f.Fault == "" && !f.Regular {
			continue // rank 0 reads the pipe and sends its content to the others
		}
		sizes := make([]string, len(all))
		for r, d := range all {
			sizes[r] = unknown
			if i < len(d.Files) {
				sizes[r] = d.Files[i].size()
			}
		}
		if other, ranks := differing(sizes); ranks != nil {
			return sentence(all, f.Name+" "+f.Path, [2]string{sizes[0], other}, ranks) + ": " + sameFile
		}
	}
	return ""
}

// copies returns the numbers of the files with equal sizes and different times: they may be copies, or other files.
func copies(all []Declaration) (files []int) {
	for i, f := range all[0].Files {
		for _, d := range all {
			if f.Regular && !d.Files[i].Modified.Equal(f.Modified) {
				files = append(files, i)
				break
			}
		}
	}
	return files
}

// Samples of a file: the whole file up to sampledBytes, otherwise sampleBlocks blocks at equal distances.
const (
	sampledBytes = 16 << 20
	sampleBlocks = 1 << 10
)

// sample returns a digest of the samples of a file, or the reason for which it cannot be read.
func (f File) sample() string {
	file, err := infile.OpenRegular(f.Path, f.Name)
	if err != nil {
		return "unreadable (" + err.Error() + ")"
	}
	defer file.Close()
	const block = sampledBytes / sampleBlocks
	blocks := min((f.Bytes+block-1)/block, sampleBlocks)
	sum := sha256.New()
	for i := range blocks {
		at := i * block
		if f.Bytes > sampledBytes {
			at = int64(float64(f.Bytes-block) * float64(i) / float64(blocks-1))
		}
		if _, err := io.Copy(sum, io.NewSectionReader(file, at, block)); err != nil {
			return "unreadable (" + err.Error() + ")"
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
