// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
)

// New is kernel 1 of an engine: it builds a searchable structure from edge tuples, whose distribution over the ranks is
// arbitrary. It is collective and timed. It may read the tuples until it returns, and must not change them.
type New func(t comm.Transport, tuples graph.Tuples) (engine.Engine, error)
