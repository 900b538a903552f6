//go:build cuda && cgo

package gputest

import (
	"fmt"
	"os"

	"g500/comm"
)

// World is the transport of a test program that mpirun has started, nil in one that runs alone.
var World comm.Transport

// InWorld is the launcher of a rank that runs already. A rank that sees a fault ends the job at once: the others
// wait for it somewhere.
func InWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(World); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", World.Rank(), err)
		os.Exit(1)
	}
	return nil
}
