package sssp

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/kronecker"
)

// officialShare returns a rank's share of the official graph of a scale.
func officialShare(rank, ranks, scale int) (kronecker.Params, graph.HostWeightedTuples) {
	p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	first := p.Edges() * int64(rank) / int64(ranks)
	n := p.Edges()*int64(rank+1)/int64(ranks) - first
	own := graph.HostWeightedTuples{HostTuples: make([]graph.Edge, n), Weights: make([]float32, n)}
	p.FillWeighted(first, own.HostTuples, own.Weights)
	return p, own
}

// outcome is the result of a search with its steps.
type outcome struct {
	steps     []trace.Step
	parents   []graph.Global
	distances []float32
}

// outcomes searches from roots in order. With one worker per rank, steps are reproducible.
func outcomes(e *search, roots []graph.Global) (map[graph.Global]outcome, error) {
	all := map[graph.Global]outcome{}
	var steps []trace.Step
	e.OnStep(func(s trace.Step) error { steps = append(steps, s); return nil })
	for _, root := range roots {
		steps = nil
		found, err := e.Search(root)
		if err != nil {
			return nil, err
		}
		parents, distances, err := found.Host()
		if err != nil {
			return nil, err
		}
		all[root] = outcome{steps, slices.Clone(parents), slices.Clone(distances)}
	}
	return all, nil
}

// A search does not depend on earlier searches: keys have the same steps and results in any order.
func TestSearchesAreIndependent(t *testing.T) {
	for _, ranks := range rankCounts() {
		for _, prune := range []Pruning{PruneNone, PruneHub} {
			err := comm.Loopback(ranks, func(tr comm.Transport) error {
				p, tuples := officialShare(tr.Rank(), ranks, 10)
				e, err := NewSearch(1)(tr, tuples, prune)
				if err != nil {
					return err
				}
				var roots []graph.Global
				for i := int64(0); len(roots) < 64; i++ {
					if root := p.KeyCandidate(i); root < e.Layout().Vertices() && !slices.Contains(roots, root) {
						roots = append(roots, root)
					}
				}
				forth, err := outcomes(e.(*search), roots)
				if err != nil {
					return err
				}
				slices.Reverse(roots)
				back, err := outcomes(e.(*search), roots)
				for _, root := range roots {
					if err == nil && !reflect.DeepEqual(forth[root], back[root]) {
						err = fmt.Errorf("root %d: %v, in another order %v", root, forth[root].steps, back[root].steps)
					}
				}
				return err
			})
			if err != nil {
				t.Errorf("prune %s: %v", prune, err)
			}
		}
	}
}

// Multiplying all weights by a power of two changes no step, and few rounds are needed.
func TestUnitOfWeightsDoesNotMatter(t *testing.T) {
	const mostRounds = 60
	var want map[graph.Global]outcome
	for _, power := range []int{0, 14, 60, -30} {
		expect.NoError(t, comm.Loopback(1, func(tr comm.Transport) error {
			p, tuples := officialShare(0, 1, 9)
			for i := range tuples.Weights {
				tuples.Weights[i] = float32(math.Ldexp(float64(tuples.Weights[i]), power))
			}
			e, err := NewSearch(1)(tr, tuples, PruneNone)
			if err != nil {
				return err
			}
			got, err := outcomes(e.(*search), []graph.Global{p.KeyCandidate(0), p.KeyCandidate(1)})
			if want == nil {
				want = got
			}
			for root := range got {
				if !reflect.DeepEqual(got[root].steps, want[root].steps) {
					t.Errorf("weights * 2^%d: %v, want %v", power, got[root].steps, want[root].steps)
				}
			}
			if rounds := e.(*search).rounds; rounds > mostRounds {
				t.Errorf("weights * 2^%d: %d rounds of a push, at most %d are expected", power, rounds, mostRounds)
			}
			return err
		}))
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
