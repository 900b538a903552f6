//go:build cuda && cgo

package bfs

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
)

// On a graph of a million vertices every vertex is as far from each of 64 roots as the CPU engine says.
func TestLevelsAtScale20(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	edges := make(graph.HostTuples, gputest.Official(20).Edges())
	gputest.Official(20).Fill(0, edges)
	roots := make([]graph.Global, 64)
	for i := range roots {
		roots[i] = edges[i*len(edges)/len(roots)].U()
	}
	want := make([][]int32, len(roots))
	err := comm.Loopback(1, func(host comm.Transport) error {
		return eachTree(host, bfs.NewHybrid(runtime.NumCPU()), edges, roots, func(i int, levels []int32) error {
			want[i] = levels
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, transport := range []string{device.PeerTransport, device.MPITransport} {
		for _, ranks := range []int{1, 2, 3, 4} {
			t.Run(fmt.Sprintf("transport=%s/ranks=%d", transport, ranks), func(t *testing.T) {
				err := comm.Loopback(ranks, func(host comm.Transport) error {
					engine := engineWith(usual("auto", transport))
					return eachTree(host, engine, edges, roots, func(i int, levels []int32) error {
						if host.Rank() > 0 || slices.Equal(levels, want[i]) {
							return nil
						}
						return fmt.Errorf("root %d: not the levels of the CPU engine", roots[i])
					})
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// eachTree searches from all roots, and checks the levels of each tree, which every rank knows.
func eachTree(
	host comm.Transport, engine bfs.New, edges graph.HostTuples, roots []graph.Global,
	check func(i int, levels []int32) error,
) error {
	first, end := len(edges)*host.Rank()/host.Size(), len(edges)*(host.Rank()+1)/host.Size()
	e, err := engine(host, edges[first:end])
	if err != nil {
		return err
	}
	for i, root := range roots {
		parents, err := bfstest.Search(host, e, root)
		if err == nil {
			err = check(i, bfstest.Levels(root, parents))
		}
		if err != nil {
			return errors.Join(err, e.Close())
		}
	}
	return e.Close()
}
