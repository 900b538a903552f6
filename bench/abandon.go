package bench

import (
	"context"
	"errors"

	"g500/comm"
	"g500/record"
)

// Abandoner is an engine whose searches cannot be abandoned by their rank's transport, such as
// searches on a GPU. For all other engines AllReduce returns the error (comm.Abandonable).
type Abandoner interface {
	// Abandon makes the running search, or the next one, end at its next level or step with an error that is
	// comm.ErrAbandoned, on all ranks. It returns at once and may be called from any goroutine, on any number of
	// ranks, once for each engine and before Close.
	Abandon()
}

// abandonable is the rank's transport for a run that ctx ends. A search is abandoned when it is overdue; all other work
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

// onAbandon calls an engine that is an Abandoner when its search is overdue, unless forget is called before.
func (b *benchmark) onAbandon(engine any) (forget func()) {
	a, can := engine.(Abandoner)
	if !can || b.setup.Overdue == nil {
		return func() {}
	}
	called := make(chan struct{})
	stop := context.AfterFunc(b.setup.Overdue, func() {
		defer close(called)
		a.Abandon()
	})
	return func() {
		if !stop() {
			<-called
		}
	}
}

// wasAbandoned reports whether an error says that all ranks have abandoned their work. From then on they do not abandon
// anything, so that they can end in good order.
func (b *benchmark) wasAbandoned(err error) bool {
	if !errors.Is(err, comm.ErrAbandoned) {
		return false
	}
	b.abandoned = true
	return true
}

// settleAbandoned records abandoned work as the interruption of the run and returns nil for it; other errors it
// returns.
func (b *benchmark) settleAbandoned(err error) error {
	if !b.wasAbandoned(err) {
		return err
	}
	b.run.Failure = record.Interrupted
	return nil
}
