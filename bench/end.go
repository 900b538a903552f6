// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"

	"g500/comm"
	"g500/internal/panics"
)

// end sets the run's verdict and writes the final files. cause is the error that ended the run, or nil; it takes
// precedence over an error in writing. A run whose files are not all on disk is VALID on no rank.
func (b *benchmark) end(cause error) error {
	b.abandoned = true // signals do not interrupt the end of the run
	if b.foreign {
		if b.store != nil {
			return errors.Join(cause, b.store.abandon())
		}
		return cause
	}
	if cause != nil && b.run.Failure == "" {
		b.run.Failure = cause.Error()
	}
	b.run.Settle()
	var err error
	if b.store != nil {
		err = b.store.finish(b.run)
	}
	if cause != nil { // other ranks may have no cause; the launcher ends them
		return cause
	}
	if err != nil {
		err = fmt.Errorf("the results are not all stored: %w; free some space, and write the missing files by "+
			"g500 run --resume %s", err, b.cfg.Output.Dir)
	}
	if err = comm.Agree(b.t, err); err != nil {
		b.run.Failure = err.Error()
		b.run.Settle()
	}
	return err
}

// sameAsEarlier ends the run on all ranks if err is not nil, which means that the run to resume has another graph or
// other keys. The folder of that run then stays unchanged. All ranks must pass the same error.
func (b *benchmark) sameAsEarlier(err error) error {
	b.foreign = b.foreign || err != nil
	return comm.Agree(b.t, err)
}

// Abandoner is an engine whose searches the transport cannot abandon, such as a GPU's. For all other engines AllReduce
// returns the error (comm.Abandonable).
type Abandoner interface {
	// Abandon makes the running search, or the next one, end at its next level or step with comm.ErrAbandoned, on all
	// ranks. It returns at once. Any goroutine may call it, on any number of ranks, once per engine, before Close.
	Abandon()
}

// abandonable returns the rank's transport for a run that ctx ends. Searches end when they are overdue. All other work
// ends at the next AllReduce, because a resumed run repeats it.
func (b *benchmark) abandonable(ctx context.Context, t comm.Transport) comm.Transport {
	return comm.Abandonable(t, func() bool {
		switch {
		case b.abandoned:
			return false
		case b.searching:
			return b.setup.Overdue != nil && b.setup.Overdue.Err() != nil
		}
		return ctx.Err() != nil
	})
}

// onAbandon calls Abandon of an engine that has it when the search is overdue, until forget is called.
func (b *benchmark) onAbandon(engine any) (forget func()) {
	a, can := as[Abandoner](engine)
	if !can || b.setup.Overdue == nil {
		return func() {}
	}
	called := make(chan error, 1)
	stop := context.AfterFunc(b.setup.Overdue, func() {
		panics.Catch(a.Abandon, func(fault error) { called <- fault })
	})
	return func() {
		if !stop() {
			panics.Raise(<-called)
		}
	}
}

// wasAbandoned reports whether err means that all ranks have abandoned their work. They then abandon nothing else, so
// that they can store the run.
func (b *benchmark) wasAbandoned(err error) bool {
	if !errors.Is(err, comm.ErrAbandoned) {
		return false
	}
	b.abandoned = true
	return true
}
