// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"
	"testing"

	"g500/cuda"
	"g500/graph"
	"g500/internal/expect"
	"g500/validate"
)

// The validator checks a few levels at a time. Therefore these tests check every rule at the bounds of sets of levels.

// depth is the depth of a tree with several sets of levels.
const depth = 3*cuda.ValidatorLevels + 3

// scattered returns n labels in an order that puts neighbours on different ranks. n is not a multiple of 7.
func scattered(n int) []graph.Global {
	labels := make([]graph.Global, n)
	for i := range labels {
		labels[i] = graph.Global(i * 7 % n)
	}
	return labels
}

// path returns a path, and its tree from the first label.
func path(labels []graph.Global) (edges []graph.Edge, c claim) {
	c = claim{labels[0], make([]graph.Global, len(labels))}
	c.parents[labels[0]] = labels[0]
	for i := 1; i < len(labels); i++ {
		edges = append(edges, graph.NewEdge(labels[i-1], labels[i]))
		c.parents[labels[i]] = labels[i-1]
	}
	return edges, c
}

func TestValidatorOnDeepTrees(t *testing.T) {
	for _, n := range []int{13, 15, 16, 27, 29, 30, 41, 43, 44, 1000, 5000} {
		if n > 100 && testing.Short() {
			continue
		}
		t.Run(fmt.Sprintf("path of %d", n), func(t *testing.T) {
			edges, right := path(scattered(n))
			inEverySetting(t, func(t *testing.T, s setting) {
				got := s.validate(t, graph.Global(n), edges, right)[0]
				want := validate.Verdict{
					Edges: int64(n) - 1, EdgesWithLoops: int64(n) - 1, Reached: int64(n), Levels: n,
				}
				expect.Equal(t, got, want)
			})
		})
	}
}

// A tuple joins a vertex of a path, at every depth, with a vertex two or more levels below.
func TestValidatorFindsFarTuplesAtEveryDepth(t *testing.T) {
	labels := scattered(depth)
	edges, right := path(labels)
	for at := range labels {
		for _, far := range []int{2, 14, 29} {
			if at+far >= len(labels) || at%5 != 0 && testing.Short() {
				continue
			}
			given := append(edges[:len(edges):len(edges)], graph.NewEdge(labels[at+far], labels[at]))
			for _, s := range []setting{{ranks: 1}, {ranks: 3}, {ranks: 1, staged: 10}} {
				v := s.validate(t, depth, given, right)[0]
				expect.Must(t, errors.Is(v.Fault, validate.ErrLevels), "a tuple that joins levels %d and %d: %+v", at, at+far, v)
			}
		}
	}
}

// Two paths start at one root. At every depth, a vertex of the second path has a parent in the first path, or below
// itself, or none.
func TestValidatorFindsFaultsAtEveryDepth(t *testing.T) {
	const n = 2*depth - 1
	labels := scattered(n)
	one, two := labels[:depth], append([]graph.Global{labels[0]}, labels[depth:]...)
	edges, right := path(labels)
	edges = append(edges[:depth-1:depth-1], edges[depth:]...) // the paths are joined at the root,
	edges = append(edges, graph.NewEdge(two[1], two[0]))      // not at the other end
	right = right.with(two[1], two[0])
	trees := []claim{right, right.with(two[depth-1], none)}
	for i := 2; i < depth; i++ {
		trees = append(trees,
			right.with(two[i], one[i-1]), // the level is right
			right.with(two[i], one[i-2]),
			right.with(two[i], two[depth-1]), // a cycle
			right.with(two[i-1], none))       // a child without a parent
	}
	for _, s := range []setting{
		{ranks: 1}, {ranks: 2}, {ranks: 3, onLast: true}, {ranks: 4, window: 1, labels64: true},
	} {
		for i, v := range s.validate(t, n, edges, trees...) {
			expect.Equal(t, v.Fault == nil, i == 0, s, "tree", i, v)
		}
	}
}
