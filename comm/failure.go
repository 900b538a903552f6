package comm

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrAborted is the error of a rank whose job has ended because another rank failed. That rank's launcher reports the
// reason: there is nothing more to print.
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
// which cannot be found without it.
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

// guard runs one rank and calls end with its error, a panicError, or errGoexit if its goroutine stops: fn cannot end
// without releasing the other ranks.
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

// named makes a RankError of an error, unless it is one.
func named(rank int, err error) error {
	var from *RankError
	if errors.As(err, &from) {
		return err
	}
	return &RankError{rank, err}
}
