// SPDX-License-Identifier: Apache-2.0

// Package panics passes a panic on from the goroutine that panics to the goroutine that waits for it.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// Panic is a caught panic. Its text includes the stack of its goroutine, because a panic is a defect of the program.
type Panic struct {
	value any
	stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// Unwrap returns the panic's value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// ErrGoexit is the error of a function that ended its goroutine without returning.
var ErrGoexit = errors.New("a goroutine ended without returning (runtime.Goexit)")

// Catch calls f, then end with nil, with a *Panic if f panicked, or with ErrGoexit. end is called in any case. If
// another goroutine waits for f, it must pass the error to Raise.
func Catch(f func(), end func(error)) {
	fault := ErrGoexit
	defer func() {
		switch value := recover().(type) {
		case nil:
		case *Panic: // raised again: the first stack is the one that matters
			fault = value
		default:
			fault = &Panic{value, debug.Stack()}
		}
		end(fault)
	}()
	f()
	fault = nil
}

// Kept keeps the first panic of functions in other goroutines. The zero value is ready for use.
type Kept struct{ first atomic.Pointer[error] }

// Catch calls f, and keeps its panic.
func (k *Kept) Catch(f func()) {
	Catch(f, func(fault error) {
		if fault != nil {
			first := fault // on the heap only after a panic
			k.first.CompareAndSwap(nil, &first)
		}
	})
}

// Any reports whether there is one.
func (k *Kept) Any() bool { return k.first.Load() != nil }

// Raise panics with it, if there is one.
func (k *Kept) Raise() {
	if k.Any() {
		Raise(*k.first.Load())
	}
}

// Raise panics with an error of Catch, unless it is nil.
func Raise(fault error) {
	if fault != nil {
		panic(fault)
	}
}
