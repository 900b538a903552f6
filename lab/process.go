// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"g500/internal/infile"
)

// process is a process that has the graph, with the pipes of requests and answers.
type process struct {
	*exec.Cmd
	to      io.WriteCloser
	from    *os.File
	answers *bufio.Reader
}

// start starts a process without a graph.
func (c *Child) start() error {
	p := &process{Cmd: exec.Command(c.Program)}
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interruption from the terminal is no failure
	p.Stderr = c.Output
	to, err := p.StdinPipe()
	from, noAnswers := p.StdoutPipe()
	if err = cmp.Or(err, noAnswers); err == nil {
		err = p.Start()
	}
	if err != nil {
		return fmt.Errorf("lab: cannot start %s: %w", c.Program, err)
	}
	p.to, p.from, p.answers, c.process = to, from.(*os.File), bufio.NewReader(from), p
	return nil
}

// end ends the process, if there is one: it has no more requests, and is killed if it does not end. The error says how
// it ended.
func (c *Child) end() error {
	p := c.process
	if p == nil {
		return nil
	}
	c.process = nil
	_ = p.to.Close() // this and the next calls fail if the process has ended
	_ = p.waitAtMost(patience)
	_, _ = io.Copy(io.Discard, p.from)
	_ = p.Process.Kill()
	return p.Wait()
}

// patience is the time in which a process ends by itself. compute-sanitizer reports nothing of one that is killed.
const patience = time.Second

// waitAtMost limits the time of reading answers.
func (p *process) waitAtMost(limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	until, _ := ctx.Deadline()
	return p.from.SetReadDeadline(until)
}

// errGPU is the error of a GPU that cannot be used, by any strategy.
var errGPU = errors.New("the GPU failed")

// Ask sends a request with the content of arrays, and decodes the answer, unless into is nil. It starts a process with
// the graph if there is none. Errors other than ErrLeftOut end the process.
func (c *Child) Ask(into any, request string, arrays ...[]byte) error {
	if g := c.graph; c.process == nil {
		if g != nil && g.InProcess {
			return fmt.Errorf("%w: the process with the graph has ended", ErrFailed)
		}
		if err := c.start(); err != nil {
			return err
		}
		if g != nil {
			symmetric := map[bool]int{true: 1}[g.Symmetric]
			request := fmt.Sprintf("graph %d %d %d", g.Vertices(), len(g.Columns), symmetric)
			if err := c.Ask(nil, request, bytesOf(g.Offsets), bytesOf(g.Columns)); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintln(c.process.to, request)
	for _, array := range arrays {
		if err == nil {
			_, err = c.process.to.Write(array)
		}
	}
	if err == nil {
		err = c.answer(into)
	}
	switch {
	case err == nil, errors.Is(err, ErrLeftOut):
		return err
	case errors.Is(err, errGPU):
		return errors.Join(err, c.end())
	}
	return c.failed(err)
}

// Words sends a request, and returns the word per vertex that follows the answer, until the next call.
func (c *Child) Words(into any, request string) ([]uint32, error) {
	err := c.Ask(into, request)
	c.words = slices.Grow(c.words[:0], c.graph.Vertices())[:c.graph.Vertices()]
	if err == nil {
		err = Receive(c, c.words)
	}
	return c.words, err
}

// Receive reads the content of an array that follows an answer.
func Receive[T int64 | uint32](c *Child, array []T) error {
	if _, err := io.ReadFull(c.process.answers, bytesOf(array)); err != nil {
		return c.failed(err)
	}
	return nil
}

// answer waits for an answer until the limit.
func (c *Child) answer(into any) error {
	if c.limit > 0 {
		if err := c.process.waitAtMost(c.limit); err != nil {
			return err
		}
	}
	line, err := c.process.answers.ReadBytes('\n')
	var fault struct {
		Failure string
		LeftOut string `json:"left_out"`
		GPU     string
	}
	if err == nil {
		err = json.Unmarshal(line, &fault)
	}
	switch {
	case err != nil:
		return err
	case fault.Failure != "":
		return errors.New(infile.Clean(fault.Failure))
	case fault.GPU != "":
		return fmt.Errorf("lab: %w: %s", errGPU, infile.Clean(fault.GPU))
	case fault.LeftOut != "":
		return fmt.Errorf("%w: %s", ErrLeftOut, infile.Clean(fault.LeftOut))
	case into == nil:
		return nil
	}
	return json.Unmarshal(line, into)
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
