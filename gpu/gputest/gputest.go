// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gputest

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

func init() { device.StagingBytes = 1 << 20 }

// Open opens the first GPU for a test.
func Open(t *testing.T) *cuda.Device {
	t.Helper()
	d := expect.Value(cuda.Open(0))(t)
	t.Cleanup(func() { expect.NoError(t, d.Close()) })
	return d
}

// Alone runs body on one rank.
func Alone(t *testing.T, body func(tr device.Transport)) {
	t.Helper()
	OnRanks(t, comm.Loopback, 1, func(host comm.Transport) { Joined(host, device.AutoTransport, body) })
}

// Joined runs body with the ranks' GPUs joined by a value of --gpu-transport.
func Joined(host comm.Transport, transport string, body func(tr device.Transport)) {
	tr := Must(device.Open(host, transport))
	Check(comm.Agree(host, Catch(func() { body(tr) })))
	Check(tr.Barrier(), tr.Close(), tr.Device().Close())
}

// Graphs returns the suite's graphs and official graphs.
func Graphs() []bfstest.Case {
	all := bfstest.Cases()
	for _, scale := range []int{6, 13} {
		edges := enginetest.OfficialEdges(scale)
		all = append(all, bfstest.Case{Name: "official", Edges: edges, Roots: []graph.Global{edges[0].U()}})
	}
	return slices.Clip(all)
}

// Share returns a rank's equal share of the tuples.
func Share(edges []graph.Edge, host comm.Transport) graph.HostTuples {
	return enginetest.Share(graph.HostTuples{Edges: edges}, host)
}

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

// failure is the value with which Check and Must panic.
type failure struct{ error }

// Check panics unless all errors are nil. Catch and Fatal recover the error, to which Check adds the calling line.
func Check(errs ...error) { fail(errors.Join(errs...)) }

// That panics as Check does unless a condition holds. The text, in the form of fmt.Printf, describes its failure.
func That(holds bool, format string, args ...any) {
	if !holds {
		fail(fmt.Errorf(format, args...))
	}
}

// Must returns the value, or panics as Check does.
func Must[T any](value T, err error) T {
	fail(err)
	return value
}

func fail(err error) {
	if err != nil {
		_, file, line, _ := runtime.Caller(2)
		panic(failure{fmt.Errorf("%s:%d: %w", filepath.Base(file), line, err)})
	}
}

// Catch runs body and returns the error with which Check or Must has ended it.
func Catch(body func()) (err error) {
	defer func() { err = recovered(recover()) }()
	body()
	return nil
}

// Fatal is deferred by a test, and reports the error with which Check or Must has ended it.
func Fatal(t testing.TB) { expect.NoError(t, recovered(recover())) }

func recovered(value any) error {
	if value == nil {
		return nil
	}
	fault, ok := value.(failure)
	if !ok {
		panic(value)
	}
	return fault.error
}

// Ranks runs body on n ranks. Check and Must end it with an error.
func Ranks(launch bfstest.Launch, n int, body func(host comm.Transport)) error {
	return launch(n, func(host comm.Transport) error { return Catch(func() { body(host) }) })
}

// OnRanks fails the test if body fails on one of n ranks.
func OnRanks(t testing.TB, launch bfstest.Launch, n int, body func(host comm.Transport)) {
	t.Helper()
	expect.NoError(t, Ranks(launch, n, body))
}
