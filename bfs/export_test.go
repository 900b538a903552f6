package bfs

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
)

// CurrentBounds are the bounds of this process, which tests change.
var CurrentBounds = &bounds

// NewHybrid64 is NewHybrid with 64-bit positions.
func NewHybrid64(workers int) New {
	return func(t comm.Transport, tuples graph.Tuples) (Engine, error) {
		edges, err := tuples.Host()
		if err != nil {
			return nil, err
		}
		b, err := csr.Start(t, edges, workers)
		if err != nil {
			return nil, err
		}
		return newHybrid[csr.Pos64](t, b, workers)
	}
}
