// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
)

// Engine computes shortest paths.
type Engine = engine.Engine[Paths]

// Paths is the result of one search on one rank.
type Paths interface {
	// Host returns the result in host memory, for every owned vertex in label order: the label of its parent, which is
	// itself for the root and graph.NoParent for unreached vertices; and its distance, Unreached for unreached vertices.
	Host() (parents []graph.Global, distances []float32, err error)
}

// Unreached is the distance of an unreached vertex, as in the Graph500 reference code.
const Unreached float32 = -1

// HostPaths are Paths in host memory.
type HostPaths struct {
	Parents   []graph.Global
	Distances []float32
}

// Host returns the result itself.
func (p *HostPaths) Host() ([]graph.Global, []float32, error) { return p.Parents, p.Distances, nil }

// New is kernel 1 of an engine: it builds a searchable structure from weighted edge tuples, whose distribution over the
// ranks is arbitrary, without the pruned edges. Weights must not be negative, and no sum of weights may overflow. It is
// collective and timed. It may read the tuples until it returns, and must not change them.
type New func(t comm.Transport, tuples graph.WeightedTuples, prune Pruning) (Engine, error)
