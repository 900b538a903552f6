// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gputest

import (
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

// Open opens the first GPU for a test.
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

// OfficialEdges returns the tuples of an official graph.
func OfficialEdges(scale int) []graph.Edge {
	edges := make([]graph.Edge, Official(scale).Edges())
	Official(scale).Fill(0, edges)
	return edges
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
		edges := OfficialEdges(scale)
		all = append(all, bfstest.Case{Name: "official", Edges: edges, Roots: []graph.Global{edges[0].U()}})
	}
	return slices.Clip(all)
}

// Pairs returns edges between pairs of labels.
func Pairs(labels ...graph.Global) (edges []graph.Edge) {
	for pair := range slices.Chunk(labels, 2) {
		edges = append(edges, graph.NewEdge(pair[0], pair[1]))
	}
	return edges
}

// Share returns a rank's equal share of the tuples.
func Share(edges []graph.Edge, host comm.Transport) graph.HostTuples {
	r, n := host.Rank(), host.Size()
	return edges[len(edges)*r/n : len(edges)*(r+1)/n]
}
