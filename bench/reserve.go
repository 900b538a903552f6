// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"syscall"

	"g500/internal/lists"
	"g500/internal/machine"
	"g500/record"
)

// reservation is disk space in an output folder for later files, so that a full disk is detected before the searches.
// Its file has no name: the system frees the space when the process ends. A nil reservation is empty.
type reservation struct {
	file  *os.File
	needs string // begins the error if there is less space, as in "the results need"
	zeros int64  // maximum number of bytes to write if the file system cannot allocate
	size  int64
}

// allocate is machine.Allocate, except in tests.
var allocate = machine.Allocate

// mostZeros is the maximum number of bytes to write if the file system cannot allocate.
const mostZeros = 64 << 20

// reserve reserves space in a folder. It returns an error, which begins with needs, if the disk, a quota or the limit
// of a file's size has less, or if the file system cannot allocate and no zeros are to be written.
func reserve(dir, needs string, bytes, zeros int64) (*reservation, error) {
	file, err := os.CreateTemp(dir, ".reserved-*")
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w", err)
	}
	r := &reservation{file: file, needs: needs, zeros: zeros}
	if err := cmp.Or(os.Remove(file.Name()), r.grow(bytes)); err != nil {
		return nil, errors.Join(err, r.end())
	}
	return r, nil
}

// grow enlarges the reservation to the given size, unless it is larger.
func (r *reservation) grow(bytes int64) error {
	if r == nil || bytes <= r.size {
		return nil
	}
	err := allocate(r.file, bytes)
	if errors.Is(err, errors.ErrUnsupported) && r.zeros > 0 {
		err = r.write(min(bytes, r.zeros))
	}
	if err != nil {
		return fmt.Errorf("%s %s in the output folder: %w: free some space, or name a folder on another disk", r.needs,
			Bytes(bytes), err)
	}
	r.size = bytes
	return nil
}

// write fills the file with zeros up to the given size.
func (r *reservation) write(bytes int64) error {
	zeros := make([]byte, 1<<16)
	for at := r.size; at < bytes; at += int64(len(zeros)) {
		if _, err := r.file.WriteAt(zeros[:min(int64(len(zeros)), bytes-at)], at); err != nil {
			return err
		}
	}
	return r.file.Sync()
}

// spend frees part of the reservation for a file to be written.
func (r *reservation) spend(bytes int64) error {
	if r == nil {
		return nil
	}
	r.size = max(0, r.size-bytes)
	return r.file.Truncate(r.size)
}

// end frees the reservation.
func (r *reservation) end() error {
	if r == nil {
		return nil
	}
	return r.file.Close()
}

// Upper bounds of the size of a run's files, except stored results. run.json and tables repeat the searches.
const (
	runBytes    = 128 << 10
	rankBytes   = 1 << 10
	lineBytes   = 512
	levelBytes  = 512 // of a trace
	levelRank   = 256 // of a rank in a level
	usualLevels = 16
	timesLine   = 4 // final files over the list
)

// logBytes estimates the size of the list of all searches.
func (b *benchmark) logBytes() int64 {
	line := int64(lineBytes)
	if b.cfg.Search.Trace {
		line += usualLevels * (levelBytes + levelRank*int64(b.t.Size()))
	}
	return lists.Sum(b.run.Kernels, func(k record.KernelRun) int64 { return int64(k.Keys) * line })
}

// reserveFiles reserves space for all files of the run. For stored results it does so only if the file system can
// allocate space without writing it, and if they do not exceed the size limit of one file.
func (b *benchmark) reserveFiles(s *Store) (err error) {
	s.fixed = runBytes + rankBytes*int64(b.t.Size())
	s.space, err = reserve(s.dir, "the results need", s.fixed+(1+timesLine)*b.logBytes(), mostZeros)
	if err != nil || !b.cfg.Output.Trees {
		return err
	}
	s.results, err = reserve(s.dir, "the stored results (--trees) need", b.allResultBytes(), 0)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EFBIG) {
		return nil
	}
	return err
}

// freeSpace is machine.FreeSpace, except in tests.
var freeSpace = machine.FreeSpace

// CheckSpace returns an error if the file system of path has fewer bytes free. The path need not exist yet.
func CheckSpace(path string, bytes int64) error {
	dir := filepath.Clean(path)
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if free, known := freeSpace(dir); known && free < bytes {
		return fmt.Errorf("%s takes %s of disk, and its file system has %s free: free some space, or name a path on "+
			"another one", path, Bytes(bytes), Bytes(free))
	}
	return nil
}

// checkSpace returns an error if the stored results and the labels of renumbered vertices do not fit on the disk of the
// output folder. Rank 0 writes them.
func (b *benchmark) checkSpace() error {
	if b.cfg.Output.Dir == "" || b.t.Rank() != 0 {
		return nil
	}
	file, bytes := labelsFile, int64(0)
	if list := b.graph.renumbered(); list != nil {
		bytes = list.LabelBytes()
	}
	if b.cfg.Output.Trees {
		file, bytes = treesFolder, bytes+min(b.allResultBytes(), math.MaxInt64-bytes)
	}
	return CheckSpace(filepath.Join(b.cfg.Output.Dir, file), bytes)
}

// allResultBytes returns the size of the stored results of all remaining searches.
func (b *benchmark) allResultBytes() (bytes int64) {
	for _, k := range b.run.Kernels {
		searches, each := int64(k.Keys-len(k.Searches)), b.resultBytes(k.Kernel)
		bytes += min(searches, (math.MaxInt64-bytes)/each) * each
	}
	return bytes
}
