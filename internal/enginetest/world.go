// SPDX-License-Identifier: Apache-2.0

package enginetest

import (
	"fmt"
	"os"
	"slices"

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

// NodesOf returns the node of each rank, for nodes with these numbers of ranks.
func NodesOf(sizes ...int) (nodes []int) {
	for node, size := range sizes {
		nodes = append(nodes, slices.Repeat([]int{node}, size)...)
	}
	return nodes
}

// OnNodes launches ranks on emulated nodes of the given sizes, in the order of ranks.
func OnNodes(sizes ...int) func(n int, fn func(comm.Transport) error) error {
	nodes := NodesOf(sizes...)
	return func(n int, fn func(comm.Transport) error) error {
		return comm.Loopback(n, func(t comm.Transport) error { return fn(comm.EmulateNodes(t, nodes[:n])) })
	}
}
