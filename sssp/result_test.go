// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math/rand/v2"
	"testing"

	"g500/graph"
	"g500/graph/csr"
	"g500/internal/expect"
	"g500/partition"
)

// Each vertex has its own entry in the result, with more and fewer runs of rising labels than a result distinguishes.
func TestResultHasAllVertices(t *testing.T) {
	for _, n := range []int{1, 100, 5000} {
		s := &structure{Order: csr.Order{Layout: partition.NewCyclic(graph.Global(2*n), 1)}}
		d := make(distances, n)
		for h, l := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
			s.LocalOf = append(s.LocalOf, graph.Local(2*l)) // odd vertices are isolated
			d[h] = uint64(entryOf(float32(l), uint32(l+1)))
		}
		d[n-1] = uint64(unreached)
		r := newResult(s, 2)
		r.write(d)
		got := expect.Value(r.Host())(t)
		want := make([]float32, 2*n)
		for l := range want {
			want[l] = Unreached
		}
		for h, l := range s.LocalOf[:n-1] {
			want[l] = entry(d[h]).distance()
			expect.Equal(t, got.Parents[l], graph.Global(entry(d[h]).parent()), "parent of", l)
		}
		expect.Equal(t, got.Distances, want, n, "vertices")
	}
}
