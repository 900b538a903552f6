// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gputest

import (
	"fmt"
	"os"

	"g500/comm"
)

// World is the transport of a test program that mpirun has started, else nil.
var World comm.Transport

// InWorld runs fn on a rank of World. An error ends the job at once, because other ranks may wait for this one.
func InWorld(_ int, fn func(comm.Transport) error) error {
	if err := fn(World); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", World.Rank(), err)
		os.Exit(1)
	}
	return nil
}
