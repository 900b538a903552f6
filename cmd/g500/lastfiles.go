package main

import (
	"fmt"

	"g500/bench"
	"g500/comm"
)

// writeLastFiles ends a run that has all its searches but lacks files: rank 0 writes the files and prints the result.
func (j *job) writeLastFiles() error {
	launch, _, err := launcher(j.cfg.Machine, j.declare())
	if err != nil {
		return misuseError{err}
	}
	j.earlier.Failure = ""
	j.earlier.Settle()
	err = launch(logged(j.opt.logDir, func(t comm.Transport, log rankLog) error {
		var err error
		if t.Rank() == 0 {
			fmt.Fprintf(j.errOut, "all searches of the run in %s are done: only its last files are written\n", j.cfg.Output.Dir)
			err = bench.WriteLastFiles(j.cfg.Output.Dir, j.earlier)
		}
		if err = comm.Agree(t, err); err != nil {
			return err
		}
		return j.publish(t, log, j.earlier, nil)
	}))
	if err == nil && !j.valid.Load() {
		return errInvalid
	}
	return err
}
