package bench

import (
	"errors"
	"fmt"

	"g500/comm"
)

// end sets the run's verdict and writes it to the output folder. cause is the error that ended the run, or nil; it
// takes precedence over an error in writing. A run whose files are not all on disk is not VALID, on any rank.
func (b *benchmark) end(cause error) error {
	b.abandoned = true // from here on the run ends in good order, whatever signals come
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
	if cause != nil { // other ranks may have no cause, and the launcher ends them
		return cause
	}
	if err != nil {
		err = fmt.Errorf("the results are not all stored: %w; free some space, and write the missing files by g500 run --resume %s",
			err, b.cfg.Output.Dir)
	}
	if err = comm.Agree(b.t, err); err != nil {
		b.run.Failure = err.Error()
		b.run.Settle()
	}
	return err
}

// sameAsEarlier ends the run on all ranks if err says that the run to resume is of another graph or of other keys, and
// then leaves that run's folder as it was: resuming it with these settings cannot succeed. All ranks must pass the same
// error.
func (b *benchmark) sameAsEarlier(err error) error {
	b.foreign = b.foreign || err != nil
	return comm.Agree(b.t, err)
}
