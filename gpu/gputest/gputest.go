//go:build cuda && cgo

package gputest

import (
	"errors"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/kronecker"
)

func init() { device.StagingBytes = 1 << 20 }

// WithoutSharedWindows makes remote ranks of one host exchange messages, until the test ends.
func WithoutSharedWindows(t *testing.T) {
	device.UseSharedWindows = false
	t.Cleanup(func() { device.UseSharedWindows = true })
}

// BothWays runs a test with shared-memory windows and with messages between remote ranks.
func BothWays(t *testing.T, test func(t *testing.T)) {
	t.Run("shared", test)
	t.Run("messages", func(t *testing.T) {
		WithoutSharedWindows(t)
		test(t)
	})
}

// Open takes the first GPU for a test.
func Open(t *testing.T) *cuda.Device {
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

// Official returns the parameters of an official graph.
func Official(scale int) kronecker.Params {
	return kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
}

// OnOne runs body on one rank, which is alone.
func OnOne(t *testing.T, body func(tr device.Transport) error) {
	t.Helper()
	err := comm.Loopback(1, func(host comm.Transport) error {
		return Joined(host, device.AutoTransport, body)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Joined joins the ranks' GPUs by a transport, for body.
func Joined(host comm.Transport, transport string, body func(tr device.Transport) error) error {
	tr, err := device.Open(host, transport)
	if err != nil {
		return err
	}
	if err := comm.Agree(host, body(tr)); err != nil {
		return err
	}
	return errors.Join(tr.Barrier(), tr.Close(), tr.Device().Close())
}

// Graphs returns the suite's graphs with their names, and official ones.
func Graphs() []bfstest.Case {
	all := bfstest.Cases()
	for _, scale := range []int{6, 13} {
		edges := make([]graph.Edge, Official(scale).Edges())
		Official(scale).Fill(0, edges)
		all = append(all, bfstest.Case{Name: "official", Edges: edges, Roots: []graph.Global{edges[0].U()}})
	}
	return slices.Clip(all)
}

// Pairs returns edges of pairs of labels.
func Pairs(labels ...graph.Global) (edges []graph.Edge) {
	for i := 0; i < len(labels); i += 2 {
		edges = append(edges, graph.NewEdge(labels[i], labels[i+1]))
	}
	return edges
}

// Cut gives each rank a run of the tuples: equal ones, or all to the last.
func Cut(edges []graph.Edge, rank, ranks int, evenly bool) []graph.Edge {
	if !evenly {
		if rank < ranks-1 {
			return nil
		}
		return edges
	}
	return edges[len(edges)*rank/ranks : len(edges)*(rank+1)/ranks]
}
