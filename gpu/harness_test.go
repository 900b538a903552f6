//go:build cuda && cgo

package gpu

import (
	"context"
	"errors"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
)

func init() { stagingBytes = 1 << 20 }

// withoutSharedWindows makes remote ranks of one host exchange messages, until the test ends.
func withoutSharedWindows(t *testing.T) {
	useSharedWindows = false
	t.Cleanup(func() { useSharedWindows = true })
}

// bothWays runs a test with shared-memory windows and with messages between remote ranks.
func bothWays(t *testing.T, test func(t *testing.T)) {
	t.Run("shared", test)
	t.Run("messages", func(t *testing.T) {
		withoutSharedWindows(t)
		test(t)
	})
}

// onHosts launches ranks that are said to be on hosts of two ranks each, and has graphs of any size cross between these
// in tiers until the test ends.
func onHosts(t *testing.T) bfstest.Launch { return onHostsOf(t, 2) }

// onHostsOf does so with hosts of so many ranks each.
func onHostsOf(t *testing.T, ranks int) bfstest.Launch {
	was := bounds
	bounds.TiersFrom = 0
	t.Cleanup(func() { bounds = was })
	return func(n int, fn func(comm.Transport) error) error {
		hosts := make([]int, n)
		for r := range hosts {
			hosts[r] = r / ranks
		}
		return comm.Loopback(n, func(t comm.Transport) error { return fn(comm.OnHosts(t, hosts)) })
	}
}

// open takes the first GPU for a test.
func open(t *testing.T) *cuda.Device {
	t.Helper()
	d, err := cuda.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func official(scale int) kronecker.Params {
	return kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
}

// onOne runs body on one rank, which is alone.
func onOne(t *testing.T, body func(tr DeviceTransport) error) {
	t.Helper()
	err := comm.Loopback(1, func(host comm.Transport) error {
		return joined(host, carrierAuto, body)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// joined joins the ranks' GPUs by a carrier, for body.
func joined(host comm.Transport, carrier string, body func(tr DeviceTransport) error) error {
	rank, _ := comm.Place(host)
	d, err := cuda.Open(rank)
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	tr, err := newTransport(host, d, carrier)
	if err == nil {
		err = comm.Agree(host, body(tr))
	}
	if err == nil {
		err = errors.Join(tr.Barrier(), tr.Close(), d.Close())
	}
	return err
}

// generated are official tuples; staged is that of reserve.
func generated(d *cuda.Device, p kronecker.Params, first, count, staged int64) (*tuples, error) {
	t, err := reserve(d, count, staged)
	if err == nil {
		err = t.generate(context.Background(), p, first, func(int64) {})
	}
	return t, err
}

// The suite's graphs with their names, and official ones.
func graphs() []bfstest.Case {
	all := bfstest.Cases()
	for _, scale := range []int{6, 13} {
		edges := make([]graph.Edge, official(scale).Edges())
		official(scale).Fill(0, edges)
		all = append(all, bfstest.Case{Name: "official", Edges: edges, Roots: []graph.Global{edges[0].U()}})
	}
	return slices.Clip(all)
}
