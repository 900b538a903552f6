package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// checkedWriter writes to another writer and stores the first error, so that a command fails if its output is lost. It
// is safe for concurrent use.
type checkedWriter struct {
	to    io.Writer
	mutex sync.Mutex
	err   error // with the cure
}

func (w *checkedWriter) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	n, err := w.to.Write(text)
	if err == nil {
		return n, nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if w.err == nil {
		w.err = fmt.Errorf("standard output cannot be written (%w), and its text is not complete: free space, or redirect "+
			"it elsewhere", err)
	}
	return n, w.err
}

// failed returns the first error of a write, nil if all text was written.
func (w *checkedWriter) failed() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.err
}
