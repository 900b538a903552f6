package bench

import (
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/sssp"
)

// searching is an engine with another Search.
type searching[R any] struct {
	engine.Engine[R]
	search func(root graph.Global) (R, error)
}

func (e searching[R]) Search(root graph.Global) (R, error) { return e.search(root) }

// paced returns the engine with searches that take d longer.
func paced[R any](e engine.Engine[R], d time.Duration) engine.Engine[R] {
	return searching[R]{e, func(root graph.Global) (R, error) {
		time.Sleep(d)
		return e.Search(root)
	}}
}

// wrapTrees replaces the setup's engine of breadth-first search on each rank.
func (s *Setup) wrapTrees(wrap func(t comm.Transport, e bfs.Engine) bfs.Engine) {
	kernel1 := s.Backend.Kernel1
	s.Backend.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		e, err := kernel1(t, tuples)
		return wrap(t, e), err
	}
}

// wrapPaths replaces the setup's engine of shortest paths on each rank.
func (s *Setup) wrapPaths(wrap func(e sssp.Engine) sssp.Engine) {
	paths := *s.Backend.Paths
	kernel1 := paths.Kernel1
	paths.Kernel1 = func(t comm.Transport, tuples graph.WeightedTuples, prune sssp.Pruning) (sssp.Engine, error) {
		e, err := kernel1(t, tuples, prune)
		return wrap(e), err
	}
	s.Backend.Paths = &paths
}
