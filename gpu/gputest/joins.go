// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gputest

import (
	"slices"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// Join joins a rank's device with the others.
type Join func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error)

// Transports are the joins of conformance tests. Peers of "halves" are ranks of the same half, of "parity" ranks whose
// numbers are both even or both odd.
var Transports = []struct {
	Name      string
	Join      Join
	SomePeers bool // only some ranks are peers
}{
	{"mpi", Chosen(device.MPITransport), false},
	{"peer", Chosen(device.PeerTransport), false},
	{"staged", Chosen(device.StagedTransport), false},
	{"auto", Chosen(device.AutoTransport), false},
	{"halves", Mixed("peer+mpi", func(a, b, ranks int) bool { return 2*a/ranks == 2*b/ranks }), true},
	{"parity", Mixed("peer+mpi", func(a, b, _ int) bool { return a%2 == b%2 }), true},
}

// Domains has sizes of nodes whose ranks are peers: unequal ones, and odd numbers of ranks.
var Domains = [][]int{{3, 1}, {1, 4}, {2, 3, 1}, {4, 3}}

// Sum returns the number of ranks of a domain's nodes.
func Sum(sizes []int) (ranks int) {
	for _, size := range sizes {
		ranks += size
	}
	return ranks
}

// OnNodes launches ranks on emulated nodes of the given sizes, in the order of ranks.
func OnNodes(sizes ...int) bfstest.Launch {
	var nodes []int
	for node, size := range sizes {
		nodes = append(nodes, slices.Repeat([]int{node}, size)...)
	}
	return func(n int, fn func(comm.Transport) error) error {
		return comm.Loopback(n, func(t comm.Transport) error { return fn(comm.EmulateNodes(t, nodes[:n])) })
	}
}

// Chosen joins ranks by a value of --gpu-transport.
func Chosen(choice string) Join {
	return func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
		return device.Join(t, d, device.Options{Transport: choice, Staging: staging})
	}
}

// Mixed is Chosen, but two ranks cannot be peers unless peers is true.
func Mixed(choice string, peers func(a, b, ranks int) bool) Join {
	return func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error) {
		remote := func(a, b int) bool { return !peers(a, b, t.Size()) }
		return device.Join(t, d, device.Options{Transport: choice, Staging: staging, Remote: remote})
	}
}
