//go:build cuda && cgo

package gpu

import (
	"fmt"
	"os"

	"g500/comm"
)

// world is the transport of a test program that mpirun has started, nil in one that runs alone.
var world comm.Transport

// inWorld is the launcher of a rank that runs already. A rank that sees a fault ends the job at once: the others
// wait for it somewhere.
func inWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(world); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", world.Rank(), err)
		os.Exit(1)
	}
	return nil
}
