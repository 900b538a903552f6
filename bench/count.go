// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/partition"
	"g500/validate"
)

// edgeCounter is a Validator that checks no rule: it counts reached vertices, and the edges between them, in results on
// an undirected graph. If a search is right, every tuple has either both ends or none in the tree.
type edgeCounter struct {
	t    comm.Transport
	ends []int64 // by local id: the tuple ends at the vertex, without self-loops
}

// countedTuples is the number of tuples whose ends a rank sends at a time. Tests change it.
var countedTuples = 1 << 20

// newEdgeCounter counts the tuple ends at each vertex. It is collective.
func newEdgeCounter(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error) {
	host, err := tuples.Host(false)
	edges := host.Edges
	most, err := comm.ReduceAgreed(t, int64(len(edges)), comm.Max, err)
	if err != nil {
		return nil, err
	}
	c := edgeCounter{t, make([]int64, layout.Count(t.Rank()))}
	send := make([][]graph.Local, t.Size())
	for ; most > 0; most -= int64(countedTuples) {
		n := min(countedTuples, len(edges))
		for r := range send {
			send[r] = send[r][:0]
		}
		for _, e := range edges[:n] {
			if u, v := e.U(), e.V(); u != v {
				send[layout.Owner(u)] = append(send[layout.Owner(u)], layout.Local(u))
				send[layout.Owner(v)] = append(send[layout.Owner(v)], layout.Local(v))
			}
		}
		edges = edges[n:]
		got, err := comm.Exchange(t, send)
		if err != nil {
			return nil, err
		}
		for _, vertices := range got {
			for _, l := range vertices {
				c.ends[l]++
			}
		}
	}
	return c, nil
}

// Validate counts in a result.
func (c edgeCounter) Validate(_ graph.Global, result engine.Result) (validate.Verdict, error) {
	found, err := result.Host()
	if err := comm.Agree(c.t, err); err != nil {
		return validate.Verdict{}, err
	}
	sums := make([]int64, 2)
	for l, parent := range found.Parents {
		if parent != graph.NoParent {
			sums[0] += c.ends[l]
			sums[1]++
		}
	}
	err = c.t.AllReduce(sums, comm.Sum)
	return validate.Verdict{Edges: sums[0] / 2, Reached: sums[1]}, err
}
