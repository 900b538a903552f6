//go:build cuda && cgo

package gputest

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// Join joins a rank's device with the others.
type Join func(t comm.Transport, d *cuda.Device, staging int64) (device.Transport, error)

// Transports are the joins of conformance tests. In the last two only some ranks are peers: ranks of the same half, and
// ranks whose numbers are both even or both odd.
var Transports = []struct {
	Name string
	Join Join
}{
	{"mpi", Chosen(device.MPITransport)},
	{"peer", Chosen(device.PeerTransport)},
	{"auto", Chosen(device.AutoTransport)},
	{"halves", Mixed("peer+mpi", func(a, b, ranks int) bool { return 2*a/ranks == 2*b/ranks })},
	{"parity", Mixed("peer+mpi", func(a, b, _ int) bool { return a%2 == b%2 })},
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
