package sssp

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/trace"
	"g500/kronecker"
)

// officialShare is a rank's share of an official graph.
func officialShare(t comm.Transport, p kronecker.Params) (graph.HostWeightedTuples, error) {
	first := p.Edges() * int64(t.Rank()) / int64(t.Size())
	n := p.Edges()*int64(t.Rank()+1)/int64(t.Size()) - first
	own := graph.HostWeightedTuples{HostTuples: make([]graph.Edge, n), Weights: make([]float32, n)}
	return own, p.FillParallel(context.Background(), first, own.HostTuples, own.Weights, 1, nil)
}

// outcome is everything that a search leaves.
type outcome struct {
	steps     []trace.Step
	parents   []graph.Global
	distances []float32
}

// outcomes searches from roots in that order. One worker a rank makes the steps the same each time.
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

// A search does not depend on those before it: in any order the same keys have the same steps and results.
func TestNothingIsCarriedFromSearchToSearch(t *testing.T) {
	p := kronecker.Params{Scale: 10, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	for _, ranks := range rankCounts() {
		for _, prune := range []Pruning{PruneNone, PruneHub} {
			err := comm.Loopback(ranks, func(tr comm.Transport) error {
				tuples, err := officialShare(tr, p)
				if err != nil {
					return err
				}
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

// The unit of weights does not matter: a power of two on all of them changes no step, and few rounds are needed.
func TestUnitOfWeightsDoesNotMatter(t *testing.T) {
	p := kronecker.Params{Scale: 9, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	const mostRounds = 60
	var want map[graph.Global]outcome
	for _, power := range []int{0, 14, 60, -30} {
		err := comm.Loopback(1, func(tr comm.Transport) error {
			tuples, err := officialShare(tr, p)
			if err != nil {
				return err
			}
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
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A push whose window does not advance ends on all ranks, with a sentence that says where it is.
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
		e.(*search).first = float32(math.NaN()) // a reach that no arithmetic can make
		_, err = e.Search(0)
		if err == nil {
			t.Errorf("rank %d finds paths", tr.Rank())
		}
		return err
	})
	for _, want := range []string{
		`rank 0: shortest paths make no progress in step "push"`, "window", "0 of 4 vertices are settled",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
