// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/validate"
)

// pathsClaim is the result that a search for shortest paths claims to have found.
type pathsClaim struct {
	root      graph.Global
	parents   []graph.Global
	distances []float32
}

// changed returns the claim after a change.
func (c pathsClaim) changed(change func(parents []graph.Global, distances []float32)) pathsClaim {
	c.parents, c.distances = slices.Clone(c.parents), slices.Clone(c.distances)
	change(c.parents, c.distances)
	return c
}

func TestValidatorFindsPlantedFaultsOfPaths(t *testing.T) {
	list := weightedList{enginetest.PathVertices, enginetest.PathTuples.Edges, enginetest.PathTuples.Weights}
	var claims []pathsClaim
	for _, c := range enginetest.PathCases {
		found := enginetest.Paths(t, c.Changes)
		claims = append(claims, pathsClaim{0, found.Parents, found.Distances})
	}
	check := func(t *testing.T, s setting) {
		for i, got := range s.validatePaths(t, list, claims...) {
			expect.Error(t, got.Fault, enginetest.PathCases[i].Rule, s, enginetest.PathCases[i].Name)
		}
	}
	inEverySetting(t, check)
	for _, ranks := range []int{1, 2, 3} { // one or two tuples at a time
		check(t, setting{ranks: ranks, staged: 1})
		check(t, setting{ranks: ranks, window: 1, onLast: true, staged: 2})
	}
}

// Paths with more levels than distinct codes are right, and a cycle at their end is found.
func TestValidatorOnDeepPaths(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = depth
	}
	edges, tree := path(scattered(n))
	list := weightedList{graph.Global(n), edges, make([]float32, len(edges))}
	right := pathsClaim{tree.root, tree.parents, make([]float32, n)} // all weights are 0
	last, before := edges[len(edges)-1].V(), edges[len(edges)-1].U()
	cycle := right.changed(func(p []graph.Global, _ []float32) { p[before] = last })
	inEverySetting(t, func(t *testing.T, s setting) {
		got := s.validatePaths(t, list, right, cycle)
		expect.That(t, got[0].Fault == nil && got[0].Levels == n && errors.Is(got[1].Fault, validate.ErrCycle),
			"%+v, and with a cycle %+v", got[0], got[1])
	})
}

func TestValidatorAgreesWithTheReferenceOnDamagedPaths(t *testing.T) {
	for _, arcs := range []bool{false, true} {
		t.Run(fmt.Sprintf("arcs=%v", arcs), func(t *testing.T) { agreeOnDamagedPaths(t, arcs) })
	}
}

// agreeOnDamagedPaths changes right paths in one place.
func agreeOnDamagedPaths(t *testing.T, arcs bool) {
	_, tuples := enginetest.Official(11, 0, 1)
	tuples.Arcs = arcs
	list := weightedList{1 << 11, tuples.Edges, tuples.Weights}
	right := pathsClaim{root: list.edges[0].U()}
	right.distances, right.parents = enginetest.Shortest(tuples, 1<<11, right.root)
	rng := rand.New(rand.NewPCG(7, 0))
	claims := []pathsClaim{right}
	for range 200 {
		claims = append(claims, right.changed(func(p []graph.Global, d []float32) {
			v, w := rng.IntN(len(p)), rng.IntN(len(p))
			switch e := list.edges[rng.IntN(len(list.edges))]; rng.IntN(5) {
			case 0:
				p[v] = graph.Global(rng.IntN(len(p)+2)) - 1
			case 1:
				p[e.U()] = e.V()
			case 2:
				d[v] = math.Nextafter32(d[v], float32(2*rng.IntN(2)))
			case 3:
				d[v] = d[w]
			case 4:
				p[v], d[v] = none, -1
			}
		}))
	}
	if testing.Short() {
		claims = claims[:20]
	}
	inEverySetting(t, func(t *testing.T, s setting) {
		s.arcs = arcs
		s.validatePaths(t, list, claims...)
	})
}

// validatePaths validates results. The verdicts must be the same on every rank, and print as the reference's.
func (s setting) validatePaths(t *testing.T, list weightedList, claims ...pathsClaim) []validate.Verdict {
	t.Helper()
	verdicts := make([]validate.Verdict, len(claims))
	expect.NoError(t, s.prepare(list, func(mine *Validator, reference *validate.Validator) {
		d := mine.t.Device()
		distances := gputest.Must(d.Alloc("distances", 4*mine.owned)).Memory
		p := device.Result{Vertices: mine.owned, Bits: 64, Distances: &distances}
		p.Parents = gputest.Must(d.Alloc("parents", 8*mine.owned)).Memory
		for i, c := range claims {
			parents, distances := own(mine, c.parents), own(mine, c.distances)
			want := gputest.Must(reference.Paths(c.root, parents, distances))
			gputest.Check(cuda.Write(p.Parents, 0, parents), cuda.Write(*p.Distances, 0, distances))
			got := gputest.Must(mine.Validate(c.root, p))
			gputest.That(fmt.Sprintf("%+v", got) == fmt.Sprintf("%+v", want),
				"result %d, rank %d: %+v, want %+v", i, mine.parts.Rank, got, want)
			if mine.parts.Rank == 0 {
				verdicts[i] = got
			}
		}
	}))
	return verdicts
}
