// SPDX-License-Identifier: Apache-2.0

package csr_test

import (
	"math/rand/v2"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/expect"
)

// Labels come from the vertices' owners, for more indices than a worker takes at a time. A reply that was cut is
// refused.
func TestLabels(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		parts, err := build[csr.Pos32](randomTuples(1, 3000, 9000), ranks, 2)
		expect.NoError(t, err)
		err = comm.Loopback(ranks, func(transport comm.Transport) error {
			labels := csr.NewLabels(parts[transport.Rank()], transport, 3)
			indices, want := someIndices(parts, uint64(transport.Rank()))
			index := func(i int) csr.Pos32 { return indices[i] }
			err := labels.Resolve(len(indices), index, func(i int, label graph.Global) {
				expect.Equal(t, label, want[i], ranks, "ranks: index", indices[i], "is label")
			})
			if err != nil || ranks == 1 {
				return err
			}
			cut := 0
			labels.Exchange = func(send [][]byte) ([][]byte, error) {
				if cut++; cut == 2 { // the replies
					send[0] = send[0][:len(send[0])/2]
				}
				return transport.AllToAll(send)
			}
			if err := labels.Resolve(len(indices), index, func(int, graph.Global) {}); (err != nil) != (transport.Rank() == 0) {
				t.Errorf("rank %d: half of the replies: %v", transport.Rank(), err)
			}
			return nil
		})
		expect.NoError(t, err)
	}
}

// someIndices returns random indices of vertices of all ranks, and their labels.
func someIndices(parts []*csr.Graph[csr.Pos32], seed uint64) (indices []csr.Pos32, labels []graph.Global) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range 5000 {
		g := parts[r.IntN(len(parts))]
		h := csr.ID(r.IntN(g.OwnInner()))
		indices, labels = append(indices, g.Index(h)), append(labels, g.Label(h))
	}
	return indices, labels
}

// A rank knows the labels of all its own vertices, also leaves, without a message.
func TestOwnLabelsAreKnown(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		parts, err := build[csr.Pos32](randomTuples(1, 3000, 2000), ranks, 2)
		expect.NoError(t, err)
		for _, g := range parts {
			for h := range csr.ID(g.Connected()) {
				label, known := g.KnownLabel(g.Index(h))
				expect.Equal(t, known, true, ranks, "ranks: id", h, "is known")
				expect.Equal(t, label, g.Label(h))
			}
		}
	}
}
