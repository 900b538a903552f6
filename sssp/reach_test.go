// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// copied returns a copy of a result.
func copied(t testing.TB) func(Paths) any {
	return func(found Paths) any {
		parents, distances, err := found.Host()
		expect.NoError(t, err)
		return []any{slices.Clone(parents), slices.Clone(distances)}
	}
}

// A search does not depend on earlier searches.
func TestSearchesAreIndependent(t *testing.T) {
	for _, ranks := range enginetest.Ranks(1, 3) {
		for _, prune := range []Pruning{PruneNone, PruneHub} {
			enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
				p, tuples := enginetest.Official(10, tr.Rank(), ranks)
				enginetest.IsIndependent(t, expect.Value(NewSearch(1)(tr, tuples, prune))(t), p, copied(t))
			})
		}
	}
}

// Multiplying all weights by a power of two changes no step, and few rounds are needed.
func TestUnitOfWeightsDoesNotMatter(t *testing.T) {
	const mostRounds = 60
	var want map[graph.Global]enginetest.Outcome
	for _, power := range []int{0, 14, 60, -30} {
		enginetest.OnRanks(t, 1, func(t testing.TB, tr comm.Transport) {
			p, tuples := enginetest.Official(9, 0, 1)
			for i := range tuples.Weights {
				tuples.Weights[i] = float32(math.Ldexp(float64(tuples.Weights[i]), power))
			}
			e := expect.Value(NewSearch(1)(tr, tuples, PruneNone))(t)
			got := enginetest.Outcomes(t, e, []graph.Global{p.KeyCandidate(0), p.KeyCandidate(1)}, copied(t))
			if want == nil {
				want = got
			}
			for root := range got {
				expect.Equal(t, got[root].Steps, want[root].Steps, "weights * 2 ^", power)
			}
			if rounds := e.(*search).rounds; rounds > mostRounds {
				t.Errorf("weights * 2^%d: %d rounds of a push, at most %d are expected", power, rounds, mostRounds)
			}
		})
	}
}

// A push whose window does not advance ends on all ranks, with an error that describes its state.
func TestPushWithoutProgressEnds(t *testing.T) {
	edges := []graph.Edge{graph.NewEdge(0, 1), graph.NewEdge(1, 2), graph.NewEdge(2, 3)}
	err := comm.Loopback(3, func(tr comm.Transport) error {
		tuples := graph.HostWeightedTuples{Weights: []float32{}}
		if tr.Rank() == 0 {
			tuples = graph.HostWeightedTuples{HostTuples: edges, Weights: []float32{1, 2, 3}}
		}
		e, err := NewSearch(1)(tr, tuples, PruneNone)
		if err != nil {
			return err
		}
		e.(*search).first = float32(math.NaN()) // a reach that arithmetic cannot produce
		_, err = e.Search(0)
		if err == nil {
			t.Errorf("rank %d finds paths", tr.Rank())
		}
		return err
	})
	for _, want := range []string{
		`rank 0: shortest paths make no progress in step "push"`, "window", "0 of 4 vertices are settled",
	} {
		expect.Error(t, err, want)
	}
}
