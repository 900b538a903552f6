package bfs_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/trace"
)

// levelsOf searches from roots in order and returns the levels and the tree of each.
func levelsOf(e bfs.Engine, roots []graph.Global) (map[graph.Global]any, error) {
	all := map[graph.Global]any{}
	var levels []trace.Step
	e.(trace.Stepper).OnStep(func(l trace.Step) error { levels = append(levels, l); return nil })
	for _, root := range roots {
		levels = nil
		tree, err := e.Search(root)
		if err != nil {
			return nil, err
		}
		parents, err := tree.Parents()
		if err != nil {
			return nil, err
		}
		all[root] = []any{levels, slices.Clone(parents)}
	}
	return all, nil
}

// A search does not depend on earlier searches: keys have the same levels and trees in any order.
func TestSearchesAreIndependent(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		err := comm.Loopback(ranks, func(tr comm.Transport) error {
			p, own := officialShare(tr, 10)
			e, err := bfs.NewHybrid(1)(tr, own)
			if err != nil {
				return err
			}
			var roots []graph.Global
			for i := int64(0); len(roots) < 64; i++ {
				if root := p.KeyCandidate(i); root < e.Layout().Vertices() && !slices.Contains(roots, root) {
					roots = append(roots, root)
				}
			}
			forth, err := levelsOf(e, roots)
			if err != nil {
				return err
			}
			slices.Reverse(roots)
			back, err := levelsOf(e, roots)
			for _, root := range roots {
				if err == nil && !reflect.DeepEqual(forth[root], back[root]) {
					err = fmt.Errorf("root %d: %v, in another order %v", root, forth[root], back[root])
				}
			}
			return err
		})
		if err != nil {
			t.Errorf("%d ranks: %.300s", ranks, err)
		}
	}
}
