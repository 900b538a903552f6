// SPDX-License-Identifier: Apache-2.0

// Package atomicfile replaces files so that a crash leaves the old file or the complete new one.
package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Partial returns the name under which a file is written before it replaces path.
func Partial(path string) string { return path + ".new" }

// Write replaces the file at path by the output of write. If write fails, the old file stays. Write returns when the
// new file is on disk.
func Write(path string, write func(io.Writer) error) error {
	return replace(path, write, (*os.File).Sync)
}

// WriteUnsynced is Write without waiting for the disk, which takes minutes for large files.
func WriteUnsynced(path string, write func(io.Writer) error) error {
	return replace(path, write, func(*os.File) error { return nil })
}

func replace(path string, write func(io.Writer) error, sync func(*os.File) error) error {
	file, err := os.Create(Partial(path))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	if err = cmp.Or(write(w), w.Flush(), sync(file), file.Close()); err == nil {
		err = os.Rename(Partial(path), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(Partial(path)))
	}
	return nil
}

// CanWrite returns an error if Write would fail now, or would replace a file that this user may not change. Nothing is
// left behind.
func CanWrite(path string) error {
	for _, name := range []string{path, Partial(path)} {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".g500-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
