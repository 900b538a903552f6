// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package bfs

import (
	"fmt"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/expect"
	"g500/internal/trace"
)

// traced searches an official graph of scale 16 on four ranks, and calls look with each rank's trace.
func traced(
	t *testing.T, launch bfstest.Launch, engine bfs.New, look func(host comm.Transport, levels []trace.Step),
) {
	t.Helper()
	edges := gputest.OfficialEdges(16)
	gputest.OnRanks(t, launch, 4, func(host comm.Transport) {
		e := open(host, engine, edges)
		gputest.Must(e.Search(edges[0].U()))
		levels := gputest.Must(e.Trace())
		look(host, levels)
		checkLevels(host, levels)
		gputest.Check(e.Close())
	})
}

// checkLevels checks that ranks receive what others send over the same transport, and that the parts of a level's time
// add up. It is collective.
func checkLevels(host comm.Transport, levels []trace.Step) {
	for i, l := range levels {
		var sums []int64
		for _, payload := range []string{
			trace.BitmapPayload, trace.BinsPayload, trace.RowsPayload,
		} {
			for _, transport := range []string{trace.PeerTransport, device.StagedTransport, device.NCCLTransport} {
				left := int64(0)
				for _, part := range l.Traffic {
					if part.Payload == payload && part.Transport == transport {
						left += part.Sent - part.Received
					}
				}
				sums = append(sums, left)
			}
		}
		gputest.Check(host.AllReduce(sums, comm.Sum))
		for _, left := range sums {
			if left != 0 {
				gputest.Check(fmt.Errorf("level %d: bytes sent and not received, by payload and transport: %d", i, sums))
			}
		}
		if l.Compute < 0 || l.Compute+l.Exchange+l.Wait != l.Nanoseconds {
			gputest.Check(fmt.Errorf("level %d: %+v", i, l))
		}
	}
}

func TestTraceOfSeveralRanks(t *testing.T) {
	for _, way := range gputest.Transports {
		for name := range Exchanges {
			t.Run(way.Name+"/exchange="+name, func(t *testing.T) {
				traced(t, comm.Loopback, engineOn(way.Join, searching(name)), func(comm.Transport, []trace.Step) {})
			})
		}
	}
}

// Traffic between nodes is counted by the name of its transport.
func TestTraceBetweenNodes(t *testing.T) {
	engine := engineWith(usual("auto", device.StagedTransport))
	traced(t, gputest.OnNodes(2, 2), engine, func(_ comm.Transport, levels []trace.Step) {
		by := map[string]int64{}
		for _, l := range levels {
			for _, part := range l.Traffic {
				by[part.Transport] += part.Sent
			}
		}
		if by[device.StagedTransport] == 0 || len(by) > 1 {
			gputest.Check(fmt.Errorf("bytes by transport: %v", by))
		}
	})
}

// Every reached vertex of the non-leaf subgraph is in one frontier, and so is the root. In a complete graph of 12
// vertices ranks reach vertices in the last level that others have reached, which must not be a further frontier.
func TestTraceHasEveryVertexOnce(t *testing.T) {
	var complete []graph.Edge
	for v := range graph.Global(12) {
		for u := range v {
			complete = append(complete, graph.NewEdge(u, v))
		}
	}
	for most, edges := range map[int][]graph.Edge{4: complete, 1: gputest.OfficialEdges(14)} {
		root, ends := edges[0].U(), tupleEnds(edges)
		for ranks := 1; ranks <= most; ranks++ {
			gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
				e := open(host, engineWith(usual("auto", device.PeerTransport)), edges)
				reached, inFrontiers := int64(0), int64(0)
				for v, parent := range gputest.Must(bfstest.Search(host, e, root)) {
					if parent != graph.NoParent && (ends[v] > 1 || graph.Global(v) == root) {
						reached++
					}
				}
				levels := gputest.Must(e.Trace())
				for _, l := range levels {
					if l.Name != trace.ResultOrderStep {
						inFrontiers += l.Frontier
					}
				}
				expect.Equal(t, inFrontiers, reached, ranks, "ranks", "vertices in frontiers", levels)
				gputest.Check(e.Close())
			})
		}
	}
}

// tupleEnds counts the tuples that end at each label, without self-loops. A vertex with one is a leaf.
func tupleEnds(edges []graph.Edge) map[int]int {
	ends := map[int]int{}
	for _, e := range edges {
		if !e.SelfLoop() {
			ends[int(e.U())]++
			ends[int(e.V())]++
		}
	}
	return ends
}
