package comm

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrAborted is what a rank gets from its transport, or from its launcher, when the job has ended because of a
// rank that failed, and the reason is told elsewhere: there is nothing more to print.
var ErrAborted = errors.New("comm: a rank has failed and ended the job")

// RankError is the reason for which a job ended, with the rank that it comes from.
type RankError struct {
	Rank int
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d: %v", e.Rank, e.Err) }

// Unwrap returns the rank's own error.
func (e *RankError) Unwrap() error { return e.Err }

// panicError is a panic caught by a launcher. Its text carries the stack: a panic is a defect of the program,
// and nobody can find it without.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// Unwrap returns the panic's value where it is an error.
func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

var errGoexit = errors.New("comm: the rank's goroutine ended without returning (runtime.Goexit)")

// guard runs one rank and calls end with its error, or what its panic said, or errGoexit where its goroutine just
// stops: no way out of fn leaves the other ranks waiting.
func guard(t Transport, fn func(Transport) error, end func(error)) {
	reason := errGoexit
	defer func() {
		if value := recover(); value != nil {
			reason = &panicError{value, debug.Stack()}
		}
		end(reason)
	}()
	reason = fn(t)
}

// named tells which rank an error comes from, unless it says so itself.
func named(rank int, err error) error {
	var told *RankError
	if errors.As(err, &told) {
		return err
	}
	return &RankError{rank, err}
}
