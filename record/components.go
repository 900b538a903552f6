// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"slices"
)

// checkRoots returns an error if both kernels have different roots for one search key.
func checkRoots(r *Run) error {
	first := map[int]int64{}
	return eachSearch(r, func(name string, search Search) error {
		root, known := first[search.Key]
		if !known {
			first[search.Key] = search.Root
		} else if root != search.Root {
			return fmt.Errorf("%s has root %d, and another search has root %d for that key", name, search.Root, root)
		}
		return nil
	})
}

// component has the counts of a search: the size of a connected component of the graph.
type component struct {
	edges, withLoops, vertices int64
	name                       string // of its first search
	root                       int64
}

func (c component) same(other component) bool {
	return c.edges == other.edges && c.withLoops == other.withLoops && c.vertices == other.vertices
}

// checkComponents compares the counts of all searches. Searches from one root have equal counts. In an undirected
// graph, searches of one component have equal counts, too, and components with different counts together have at most
// the vertices and edges of the graph.
func checkComponents(r *Run) error {
	var all []component
	byRoot := map[int64]component{}
	vertices, tuples := int64(0), int64(0)
	return eachSearch(r, func(name string, s Search) error {
		if s.ValidateSeconds < 0 || s.Fault != "" {
			return nil
		}
		c := component{s.Edges, s.EdgesWithLoops, s.Reached, name, s.Root}
		if other, known := byRoot[s.Root]; known && !c.same(other) {
			return disagree(other, c, "have one root")
		}
		byRoot[s.Root] = c
		if slices.ContainsFunc(all, c.same) || r.Graph != nil && r.Graph.Directed {
			return nil
		}
		vertices, tuples = vertices+c.vertices, tuples+c.withLoops
		if len(all) > 0 && (vertices > r.vertices() || tuples > r.tuples()) {
			largest := slices.MaxFunc(all, func(a, b component) int { return int(a.edges - b.edges) })
			return disagree(largest, c, "must be in one component, since the graph is too small for two")
		}
		all = append(all, c)
		return nil
	})
}

func disagree(a, b component, why string) error {
	return fmt.Errorf("%s and %s %s, and counted %d and %d edges, %d and %d with self-loops, %d and %d vertices",
		a.name, b.name, why, a.edges, b.edges, a.withLoops, b.withLoops, a.vertices, b.vertices)
}
