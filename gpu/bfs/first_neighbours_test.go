//go:build cuda && cgo

package bfs

import (
	"errors"
	"fmt"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
)

// firstNeighbours is a rank's graph, and what its search knows of the edges.
type firstNeighbours struct {
	shift int
	rows  []uint64
	cols  []uint32
	bits  []uint32
}

func readFirstNeighbours(e *Engine) (f firstNeighbours, err error) {
	f = firstNeighbours{
		shift: e.graph.Shift(), rows: make([]uint64, e.graph.NonLeaves()+1), cols: make([]uint32, e.graph.NonLeafEdges()),
	}
	f.bits = make([]uint32, (len(f.cols)+31)/32)
	if len(f.cols) == 0 {
		return f, nil
	}
	return f, errors.Join(cuda.Read(f.rows, e.graph.Rows(), 0), cuda.Read(f.cols, e.graph.Cols(), 0),
		cuda.Read(f.bits, e.search.FirstNeighbourEdges(), 0))
}

// A level that pushes into a bitmap leaves out the edges by which vertices have their first neighbours, and no others.
// The reference implementation reads the rows of all ranks.
func TestFirstNeighbourEdgesEqualTheReference(t *testing.T) {
	for _, ranks := range []int{2, 3, 4} {
		for _, c := range gputest.Graphs() {
			t.Run(fmt.Sprintf("%d ranks, %s, %d tuples", ranks, c.Name, len(c.Edges)), func(t *testing.T) {
				all := make([]firstNeighbours, ranks)
				err := comm.Loopback(ranks, func(host comm.Transport) error {
					mine := graph.HostTuples(gputest.Cut(c.Edges, host.Rank(), ranks, true))
					e, err := engineOn(gputest.Chosen(device.PeerTransport), searching("bitmap"))(host, mine)
					if err != nil {
						return err
					}
					all[host.Rank()], err = readFirstNeighbours(e.(openEngine).Engine.(*Engine))
					return errors.Join(err, e.Close())
				})
				if err != nil {
					t.Fatal(err)
				}
				compareFirstNeighbours(t, all)
			})
		}
	}
}

func compareFirstNeighbours(t *testing.T, all []firstNeighbours) {
	t.Helper()
	first := func(position uint32) uint32 {
		f, hub := all[0], position
		if len(all) > 1 {
			f, hub = all[position>>f.shift], position&(1<<f.shift-1)
		}
		return f.cols[f.rows[hub]]
	}
	for rank, f := range all {
		for hub := range f.rows[1:] {
			own := uint32(hub)
			if len(all) > 1 {
				own |= uint32(rank) << f.shift
			}
			for e := f.rows[hub]; e < f.rows[hub+1]; e++ {
				if got, want := f.bits[e/32]>>(e%32)&1 == 1, first(f.cols[e]) == own; got != want {
					t.Fatalf("rank %d: edge %d of hub %d, to position %d: %t, want %t",
						rank, e, hub, f.cols[e], got, want)
				}
			}
		}
	}
}
