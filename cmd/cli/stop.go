// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// Grace is the time that running work has after a signal. Then a search is abandoned; during other work the process
// ends. Tests shorten it.
var Grace = 5 * time.Second

// Signalled returns a context that is done at the first signal that ends a command. A second one ends it at once.
func Signalled() (ctx context.Context, end func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // a closed terminal sends it, which a process under nohup ignores
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, end = signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, end) // restores the default actions of signals
	return ctx, end
}

// UntilStopped returns a context that is done at the first signal. A second signal ends the process at once; so does
// the end of the limit after the first one, with an error on errOut, unless the command calls end before.
func UntilStopped(limit time.Duration, errOut io.Writer) (ctx context.Context, end func()) {
	ctx, restore := Signalled()
	forget := After(ctx, limit, func() {
		fmt.Fprintf(errOut, "%s: stopped by a signal; the command did not end within %v\n",
			filepath.Base(os.Args[0]), limit)
		os.Exit(Failure)
	})
	return ctx, func() {
		forget()
		restore()
	}
}

// After calls f in another goroutine when time d has passed since ctx was done, unless forget is called before.
func After(ctx context.Context, d time.Duration, f func()) (forget func()) {
	forgotten, forget := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(d):
			f()
		case <-forgotten.Done():
		}
	})
	return forget
}
