// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gputest

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
)

// failure is the value with which Check and Must panic.
type failure struct{ error }

// Check panics unless all errors are nil. Catch and Fatal recover the error, to which Check adds the calling line.
func Check(errs ...error) { fail(errors.Join(errs...)) }

// Must returns the value, or panics as Check does.
func Must[T any](value T, err error) T {
	fail(err)
	return value
}

func fail(err error) {
	if err != nil {
		_, file, line, _ := runtime.Caller(2)
		panic(failure{fmt.Errorf("%s:%d: %w", filepath.Base(file), line, err)})
	}
}

// Catch runs body and returns the error with which Check or Must has ended it.
func Catch(body func()) (err error) {
	defer func() { err = recovered(recover()) }()
	body()
	return nil
}

// Fatal is deferred by a test, and reports the error with which Check or Must has ended it.
func Fatal(t testing.TB) {
	if err := recovered(recover()); err != nil {
		t.Fatal(err)
	}
}

func recovered(value any) error {
	if value == nil {
		return nil
	}
	fault, ok := value.(failure)
	if !ok {
		panic(value)
	}
	return fault.error
}

// Ranks runs body on n ranks. Check and Must end it with an error.
func Ranks(launch bfstest.Launch, n int, body func(host comm.Transport)) error {
	return launch(n, func(host comm.Transport) error { return Catch(func() { body(host) }) })
}

// OnRanks fails the test if body fails on one of n ranks.
func OnRanks(t testing.TB, launch bfstest.Launch, n int, body func(host comm.Transport)) {
	t.Helper()
	if err := Ranks(launch, n, body); err != nil {
		t.Fatal(err)
	}
}
