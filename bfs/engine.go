// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
)

// Engine makes breadth-first searches.
type Engine = engine.Engine[Tree]

// Tree is the result of one search on one rank: the parent of every owned vertex in label order, each as a label. The
// root is its own parent.
type Tree interface {
	// Parents returns the tree in host memory, graph.NoParent for unreached vertices. If the result is in other memory,
	// Parents copies it, outside the timed search.
	Parents() ([]graph.Global, error)
}

// HostTree is a Tree in host memory.
type HostTree []graph.Global

// Parents returns the tree itself.
func (t HostTree) Parents() ([]graph.Global, error) { return t, nil }

// New is kernel 1 of an engine: it builds a searchable structure from edge tuples, whose distribution over the ranks is
// arbitrary. It is collective and timed. It may read the tuples until it returns, and must not change them.
type New func(t comm.Transport, tuples graph.Tuples) (Engine, error)
