// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
)

// File is a file that is read once, from its beginning to its end.
type File struct {
	Fingerprint Fingerprint // of the bytes that were read
	Pipe        bool        // it cannot be opened again: a pipe, a device or the standard input
	Size        int64       // its length in bytes, 0 for a pipe

	file *os.File
	in   io.Reader
	stop context.CancelFunc // of the goroutine that reads a pipe
}

// Open opens a file to be read. It waits for the writer of a named pipe, until the context ends; from then on reads of
// a pipe return the context's cause too.
func Open(ctx context.Context, path string) (*File, error) {
	file, err := open(ctx, path)
	if info, unknown := os.Stat(path); err != nil && unknown == nil && info.Mode()&fs.ModeSocket != 0 {
		err = fmt.Errorf("%s is a socket: name a file or a pipe", path)
	}
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory: name a file in it", path)
	}
	if err == nil && file != os.Stdin && info.Mode()&fs.ModeDevice != 0 {
		err = fmt.Errorf("%s is a device: name a file or a pipe", path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f := &File{Pipe: file == os.Stdin || !info.Mode().IsRegular(), file: file, in: file, stop: func() {}}
	if f.Pipe {
		ctx, f.stop = context.WithCancel(ctx)
		f.in = pumped(ctx, file)
	} else {
		f.Size = info.Size()
	}
	return f, nil
}

// stdin has the names of the standard input, which cannot be opened by name if it is a socket.
var stdin = []string{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}

// spent is the standard input, once it was opened.
var spent atomic.Pointer[os.File]

// open opens a file in a goroutine, because opening a named pipe waits for its writer.
func open(ctx context.Context, path string) (*os.File, error) {
	if slices.Contains(stdin, path) {
		if spent.Swap(os.Stdin) == os.Stdin {
			return nil, errors.New("standard input can be read only once: save it to a file")
		}
		return os.Stdin, nil
	}
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result, 1)
	go func() {
		file, err := os.Open(path)
		opened <- result{file, err}
	}()
	select {
	case r := <-opened:
		return r.file, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("opening %s: %w", path, context.Cause(ctx))
	}
}

func (f *File) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	_, _ = f.Fingerprint.Write(p[:n])
	return n, err
}

// ReadAt reads bytes of a regular file at an offset. They do not count in the fingerprint.
func (f *File) ReadAt(p []byte, offset int64) (int, error) { return f.file.ReadAt(p, offset) }

// Close closes the file. A waiting read of a pipe continues until the process ends.
func (f *File) Close() error {
	f.stop()
	return f.file.Close()
}

// pumpBytes is the length of one read of a pipe.
const pumpBytes = 1 << 18

// pumped returns the end of a pipe in memory, into which a goroutine reads, so that the end of a context ends the wait
// for the next bytes.
func pumped(ctx context.Context, in *os.File) io.Reader {
	out, into := io.Pipe()
	context.AfterFunc(ctx, func() { into.CloseWithError(context.Cause(ctx)) })
	go func() {
		_, err := io.CopyBuffer(into, struct{ io.Reader }{in}, make([]byte, pumpBytes)) // os.File has shorter reads
		into.CloseWithError(err)
	}()
	return out
}

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
