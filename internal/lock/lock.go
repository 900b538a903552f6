// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"g500/internal/machine"
)

// Lock is a lock file that this process holds, and that its children hold if they inherit it.
type Lock struct {
	File *os.File
	// Unguarded is the reason why the lock does not exclude other processes, such as a file system without locks. It is
	// nil if it does.
	Unguarded error
}

// HeldError is the error for a lock file that another process holds.
type HeldError struct {
	Path   string
	Holder string // process number and node
}

func (e *HeldError) Error() string { return fmt.Sprintf("%s is held by %s", e.Path, e.Holder) }

// errHeld is the result of exclusive if another process holds the lock.
var errHeld = errors.New("held")

// Take locks a file, which it creates if missing, and writes the holder into it. It does not wait: if another process
// holds the lock, the error is a *HeldError.
func Take(path string) (*Lock, error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, err
		}
		err = exclusive(file)
		if errors.Is(err, errHeld) {
			holder := signature(file)
			file.Close()
			return nil, &HeldError{path, holder}
		}
		if !names(path, file) { // the previous holder has removed it since it was opened
			file.Close()
			continue
		}
		if failed := sign(file); failed != nil {
			file.Close()
			return nil, failed
		}
		return &Lock{file, err}, nil
	}
}

// Release removes the lock file and unlocks it. It must not be called while children may hold the lock.
func (l *Lock) Release() error {
	err := os.Remove(l.File.Name())
	if errors.Is(err, fs.ErrNotExist) { // without locks, another process may have removed it
		err = nil
	}
	return errors.Join(err, l.File.Close())
}

// names reports whether path still names the open file.
func names(path string, file *os.File) bool {
	opened, err := file.Stat()
	named, missing := os.Stat(path)
	return err == nil && missing == nil && os.SameFile(opened, named)
}

// sign writes the holder into the file.
func sign(file *os.File) error {
	who := fmt.Sprintf("process %d on %s\n", os.Getpid(), machine.Node())
	_, err := file.WriteAt([]byte(who), 0)
	return errors.Join(err, file.Truncate(int64(len(who))))
}

// signature returns the holder, which is unknown for a moment between Take's lock and its signature.
func signature(file *os.File) string {
	who, err := io.ReadAll(file)
	if name := strings.TrimSpace(string(who)); err == nil && name != "" {
		return name
	}
	return "another process"
}
