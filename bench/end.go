// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"errors"
	"fmt"

	"g500/comm"
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
