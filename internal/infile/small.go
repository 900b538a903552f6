// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// The largest files that Small reads, in bytes.
const (
	Settings int64 = 16 << 20  // written by people, such as a configuration
	Records  int64 = 256 << 20 // written by programs, such as run.json
)

// OpenRegular opens a regular file. It never waits: it refuses pipes, devices, sockets and directories. what describes
// the content for errors, as in "the study". The error is fs.ErrNotExist if there is no such file.
func OpenRegular(path, what string) (*os.File, error) {
	if _, err := Regular(path, what); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, CannotRead(what, path, err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() { // replaced since it was looked at
		err = notRegular(what, path, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Small returns the content of a regular file of at most most bytes, with the errors of OpenRegular.
func Small(path, what string, most int64) ([]byte, error) {
	file, err := OpenRegular(path, what)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	large := fmt.Errorf("cannot read %s: %s has more than %d bytes: name a file of that kind", what, path, most)
	if info, err := file.Stat(); err == nil && info.Size() > most {
		return nil, large
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return nil, CannotRead(what, path, err)
	case int64(len(text)) > most:
		return nil, large
	}
	return text, nil
}

// Regular returns the size in bytes of a regular file, with the errors of OpenRegular.
func Regular(path, what string) (bytes int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, CannotRead(what, path, err)
	}
	if !info.Mode().IsRegular() {
		return 0, notRegular(what, path, info)
	}
	return info.Size(), nil
}

func notRegular(what, path string, info fs.FileInfo) error {
	return fmt.Errorf("cannot read %s: %s is %s, and only a regular file can be read here: name one", what, path,
		Kind(info.Mode()))
}

// CannotRead returns a sentence with the reason of the system, and its cure.
func CannotRead(what, path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	cure := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		cure = ": check the path"
	case errors.Is(err, fs.ErrPermission):
		cure = ": make it readable for this user, or name another"
	}
	return fmt.Errorf("cannot read %s: %s: %w%s", what, path, err, cure)
}

// Kind names the kind of a file, as in "a directory".
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
