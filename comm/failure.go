package comm

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrAborted is the error of a rank whose job has ended because another rank failed. The launcher of the failed rank
// prints the reason.
var ErrAborted = errors.New("comm: a rank has failed and ended the job")

// RankError is the error that ended a job, with its rank.
type RankError struct {
	Rank int
	Err  error
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d: %v", e.Rank, e.Err) }

// Unwrap returns the rank's own error.
func (e *RankError) Unwrap() error { return e.Err }

// panicError is a panic caught by a launcher. Its text includes the stack, because a panic is a defect of the program.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// Unwrap returns the panic's value if it is an error.
func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

var errGoexit = errors.New("comm: the rank's goroutine ended without returning (runtime.Goexit)")

// guard runs one rank and calls end with its error: fn's, a panicError, or errGoexit if the goroutine stops. end is
// called in any case, to release the other ranks.
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

// named returns an error as a RankError, unchanged if it is one.
func named(rank int, err error) error {
	var from *RankError
	if errors.As(err, &from) {
		return err
	}
	return &RankError{rank, err}
}
