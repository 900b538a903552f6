//go:build cuda && cgo

package validate

import (
	"errors"
	"fmt"
	"testing"

	"g500/cuda"
	"g500/graph"
	"g500/validate"
)

// Levels are checked a few at a time, so every rule has to hold where one set of levels ends and the next begins.

// depth is that of a tree with several sets of levels.
const depth = 3*cuda.ValidatorLevels + 3

// scattered are labels in an order that spreads neighbours over all ranks. n is no multiple of 7.
func scattered(n int) []graph.Global {
	labels := make([]graph.Global, n)
	for i := range labels {
		labels[i] = graph.Global(i * 7 % n)
	}
	return labels
}

// path is a path, and the tree that follows it from its first label.
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
				if got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
			})
		})
	}
}

// A tuple joins every vertex of a path in turn with the second or a later one below.
func TestValidatorFindsFarTuplesAtEveryDepth(t *testing.T) {
	labels := scattered(depth)
	edges, right := path(labels)
	for at := range labels {
		for _, far := range []int{2, 14, 29} {
			if at+far >= len(labels) || at%5 != 0 && testing.Short() {
				continue
			}
			given := append(edges[:len(edges):len(edges)], graph.NewEdge(labels[at+far], labels[at]))
			for _, s := range []setting{oneRank, {3, DeviceWindow, false, 0, false}, {1, DeviceWindow, false, 10, false}} {
				if v := s.validate(t, depth, given, right)[0]; !errors.Is(v.Fault, validate.ErrLevels) {
					t.Fatalf("a tuple that joins levels %d and %d: %+v", at, at+far, v)
				}
			}
		}
	}
}

// Two paths begin at one root. At one depth after the other, a vertex of the second claims a parent of the first, or
// one below itself, or none.
func TestValidatorFindsFaultsAtEveryDepth(t *testing.T) {
	const n = 2*depth - 1
	labels := scattered(n)
	one, two := labels[:depth], append([]graph.Global{labels[0]}, labels[depth:]...)
	edges, right := path(labels)
	edges = append(edges[:depth-1:depth-1], edges[depth:]...) // the paths are not joined at their ends,
	edges = append(edges, graph.NewEdge(two[1], two[0]))      // but at the root
	right = right.with(two[1], two[0])
	trees := []claim{right, right.with(two[depth-1], none)}
	for i := 2; i < depth; i++ {
		trees = append(trees,
			right.with(two[i], one[i-1]), // the level is right
			right.with(two[i], one[i-2]),
			right.with(two[i], two[depth-1]), // a cycle
			right.with(two[i-1], none))       // its child is an orphan
	}
	for _, s := range []setting{
		oneRank, {2, DeviceWindow, false, 0, false}, {3, DeviceWindow, true, 0, false}, {4, 1, false, 0, true},
	} {
		for i, v := range s.validate(t, n, edges, trees...) {
			if (v.Fault == nil) != (i == 0) {
				t.Errorf("%v, tree %d: %+v", s, i, v)
			}
		}
	}
}
