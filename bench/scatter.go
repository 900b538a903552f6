// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"math"

	"g500/comm"
	"g500/graph"
	"g500/graph/formats"
)

// scatterTuples is the number of tuples in one message of rank 0 to all ranks.
const scatterTuples = 1 << 20

// scatter sends each rank its share of rank 0's list of tuples, with weights if weighted, and returns a reader of this
// rank's share. It is collective. Other ranks ignore list.
func (b *benchmark) scatter(list *formats.EdgeList, weighted bool) (graph.TupleReader, error) {
	ranks := b.t.Size()
	_, count := shareOf(b.made.Tuples, b.t.Rank(), ranks)
	_, most := shareOf(b.made.Tuples, 0, ranks)
	edges := make(graph.HostTuples, 0, count)
	var weights []float32
	if weighted {
		weights = make([]float32, 0, count)
	}
	piece := int64(max(scatterTuples/ranks, 1))
	for done := int64(0); done < most; done += piece {
		send := make([][]uint32, ranks)
		if b.t.Rank() == 0 {
			for r := range send {
				first, count := shareOf(b.made.Tuples, r, ranks)
				send[r] = words(list, first+done, min(piece, count-done), weighted)
			}
		}
		got, err := comm.Exchange(b.t, send)
		if err != nil {
			return nil, err
		}
		edges, weights = unpacked(got[0], edges, weights)
	}
	return func(at int64, into []graph.Edge, w []float32) error {
		copy(into, edges[at:])
		copy(w, weights[min(at, int64(len(weights))):])
		return nil
	}, nil
}

// words returns count tuples from number first on as two words each, or three with the weight's bits.
func words(list *formats.EdgeList, first, count int64, weighted bool) (all []uint32) {
	if count <= 0 {
		return nil
	}
	edges := make([]graph.Edge, count)
	var weights []float32
	if weighted {
		weights = make([]float32, count)
	}
	list.Read(first, edges, weights)
	all = make([]uint32, 0, 3*count)
	for i, e := range edges {
		all = append(all, uint32(e.U()), uint32(e.V()))
		if weighted {
			all = append(all, math.Float32bits(weights[i]))
		}
	}
	return all
}

// unpacked appends the tuples in words, and their weights unless weights is nil.
func unpacked(words []uint32, edges graph.HostTuples, weights []float32) (graph.HostTuples, []float32) {
	each := 2
	if weights != nil {
		each = 3
	}
	for ; len(words) >= each; words = words[each:] {
		edges = append(edges, graph.NewEdge(graph.Global(words[0]), graph.Global(words[1])))
		if weights != nil {
			weights = append(weights, math.Float32frombits(words[2]))
		}
	}
	return edges, weights
}
