// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"sync"
	"unicode/utf8"

	"g500/comm"
	"g500/internal/infile"
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

// cleanWriter writes text to another writer without control characters, which names of files and texts of foreign files
// may have, and with coloured verdicts on a terminal. It is safe for concurrent use.
type cleanWriter struct {
	to    io.Writer
	mutex sync.Mutex
	rest  []byte // the beginning of a character whose end follows
}

// NoColour is the variable of the environment that, if it is not empty, forbids colours: no-color.org.
const NoColour = "NO_COLOR"

// hasColours reports whether verdicts have colours. Open MPI gives a rank a terminal that is none of the user's.
func (w *cleanWriter) hasColours() bool {
	return os.Getenv(NoColour) == "" && os.Getenv("TERM") != "dumb" && OnTerminal(w) && comm.Launched().Name == ""
}

// valid and invalid match verdicts, which are green and red: VALID is a line, INVALID begins a line or follows other text.
var (
	valid   = regexp.MustCompile(`(?m)^VALID$`)
	invalid = regexp.MustCompile(`(?m)(^|[:,] )INVALID\b`)
)

func (w *cleanWriter) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	all := append(w.rest, text...)
	complete := len(all)
	for i := 1; i < utf8.UTFMax && i <= len(all); i++ {
		if begun := all[len(all)-i:]; utf8.RuneStart(begun[0]) && !utf8.FullRune(begun) {
			complete -= i
		}
	}
	w.rest = bytes.Clone(all[complete:])
	clean := infile.CleanOutput(all[:complete])
	if w.hasColours() {
		clean = valid.ReplaceAll(clean, []byte("\x1b[32mVALID\x1b[0m"))
		clean = invalid.ReplaceAll(clean, []byte("$1\x1b[31mINVALID\x1b[0m"))
	}
	_, err := w.to.Write(clean)
	return len(text), err
}

// Clean returns a writer that writes text to another writer without control characters.
func Clean(to io.Writer) io.Writer { return &cleanWriter{to: to} }
