package comm_test

import (
	"fmt"
	"os"

	"g500/comm"
)

// world is the transport of a test program that mpirun has started, nil without mpirun.
var world comm.Transport

// inWorld is the launcher of a running rank. A rank that finds a fault ends the job at once, because the others wait
// for it.
func inWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(world); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d of %d: %v\n", world.Rank(), world.Size(), err)
		os.Exit(1)
	}
	return nil
}
