// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"g500/internal/infile"
)

// process is a process that has the graph, with the pipes of requests and answers.
type process struct {
	command *exec.Cmd
	to      *os.File
	from    *os.File
	answers *bufio.Reader
	ready   bool // it has loaded its plugin
}

// answer is the answer to a request. Most members are figures of a search.
type answer struct {
	Failure     string  `json:"failure"`
	Code        int     `json:"code"`   // an error of CUDA, 0 for none
	Before      string  `json:"before"` // of a plugin: Strategy.Before
	Parents     bool    `json:"parents"`
	Nanoseconds int64   `json:"nanoseconds"`
	Full        bool    `json:"full"`
	QueueBytes  int64   `json:"queue_bytes"`
	Levels      []Level `json:"levels"`
	Shares      []Share `json:"shares"`
	Counts
	ColoringRun
}

// start starts a process without a graph.
func (c *Child) start() error {
	in, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return errors.Join(err, in.Close(), to.Close())
	}
	command := exec.Command(c.Program)
	command.ExtraFiles = []*os.File{in, out}                  // files 3 and 4
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interruption from the terminal is no failure
	if c.Output != nil {
		command.Stdout, command.Stderr = c.Output, c.Output
	}
	c.process = &process{command: command, to: to, from: from, answers: bufio.NewReader(from)}
	err = command.Start()
	if err = errors.Join(err, in.Close(), out.Close()); err != nil {
		c.end()
		return fmt.Errorf("lab: cannot start %s: %w", c.Program, err)
	}
	return nil
}

// end ends the process, if there is one. The error says how it ended, if it did so by itself.
func (c *Child) end() error {
	p := c.process
	if p == nil {
		return nil
	}
	c.process = nil
	p.to.Close() // the process is over
	p.from.Close()
	if p.command.Process == nil {
		return nil
	}
	p.command.Process.Kill()
	return p.command.Wait()
}

// ask sends a request with the content of arrays, and returns the answer. It starts a process if there is none.
func (c *Child) ask(request string, arrays ...[]byte) (a answer, err error) {
	if c.process == nil {
		if err := c.start(); err != nil {
			return a, err
		}
	}
	_, err = fmt.Fprintln(c.process.to, request)
	for _, array := range arrays {
		if err == nil {
			_, err = c.process.to.Write(array)
		}
	}
	if err == nil {
		a, err = c.answer()
	}
	if err != nil {
		return a, c.failed(err)
	}
	const invalidValue, outOfMemory, notSupported = 1, 2, 801 // errors of CUDA
	reason := map[int]error{invalidValue: ErrMisfit, outOfMemory: ErrMemory, notSupported: errNoLibrary}[a.Code]
	if a.Code == 0 || reason != nil && c.plugin == nil {
		return a, reason
	}
	return a, c.failed(fmt.Errorf("it failed with CUDA error %d: run it with compute-sanitizer", a.Code))
}

// answer waits for an answer until the limit.
func (c *Child) answer() (a answer, err error) {
	if c.limit > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), c.limit)
		defer cancel()
		until, _ := ctx.Deadline()
		if err := c.process.from.SetReadDeadline(until); err != nil {
			return a, err
		}
	}
	line, err := c.process.answers.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	if err == nil && a.Failure != "" {
		err = errors.New(infile.Clean(a.Failure))
	}
	return a, err
}

// failed ends the process, and returns ErrFailed with the reason: an error of the pipes, or another one.
func (c *Child) failed(err error) error {
	end := c.end()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("it did not answer within %v: mend it, or allow more by --plugin-seconds", c.limit)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE):
		if end == nil {
			end = errors.New("exit status 0")
		}
		err = fmt.Errorf("its process ended (%v): run it in a debugger, or with compute-sanitizer", end)
	}
	return failure{err}
}

// failure is an error that is ErrFailed.
type failure struct{ error }

// Is reports whether another error is ErrFailed.
func (failure) Is(other error) bool { return other == ErrFailed }

// bytesOf returns the memory of a slice.
func bytesOf[T int64 | uint32](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}
