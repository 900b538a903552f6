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
	// Unguarded says why nobody else is kept out: the file system, or the operating system, has no locks. It is nil
	// where the lock holds.
	Unguarded error
}

// HeldError says that another process holds a lock file.
type HeldError struct {
	Path   string
	Holder string // its number and its host
}

func (e *HeldError) Error() string { return fmt.Sprintf("%s is held by %s", e.Path, e.Holder) }

// errHeld is what the system's lock says where another process has it.
var errHeld = errors.New("held")

// Take takes a lock file, which it makes where there is none, and writes into it who has it. It does not wait: the
// error is a *HeldError where another process has it.
func Take(path string) (*Lock, error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		err = exclusive(file)
		if errors.Is(err, errHeld) {
			holder := signature(file)
			file.Close()
			return nil, &HeldError{path, holder}
		}
		if !stands(file, path) { // whoever had it has removed it since it was opened
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

// Release removes the lock file and lets go of it. It is not for a lock that children may still hold.
func (l *Lock) Release() error {
	err := os.Remove(l.File.Name())
	if errors.Is(err, fs.ErrNotExist) { // where locks do not hold, another process may have removed it
		err = nil
	}
	return errors.Join(err, l.File.Close())
}

// stands reports whether path still names the open file.
func stands(file *os.File, path string) bool {
	opened, err := file.Stat()
	named, missing := os.Stat(path)
	return err == nil && missing == nil && os.SameFile(opened, named)
}

// sign writes into the file who has it.
func sign(file *os.File) error {
	who := fmt.Sprintf("process %d on %s\n", os.Getpid(), machine.Node())
	_, err := file.WriteAt([]byte(who), 0)
	return errors.Join(err, file.Truncate(int64(len(who))))
}

// signature tells who has the file: between its lock and its name there is a moment in which nobody knows.
func signature(file *os.File) string {
	who, err := io.ReadAll(file)
	if name := strings.TrimSpace(string(who)); err == nil && name != "" {
		return name
	}
	return "another process"
}
