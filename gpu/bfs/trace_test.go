//go:build cuda && cgo

package bfs

import (
	"errors"
	"fmt"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/trace"
)

// What one rank sends in a level, the others receive by the same transport, and the parts of a level's time make up the
// whole.
func TestTraceOfSeveralRanks(t *testing.T) {
	edges := make(graph.HostTuples, gputest.Official(16).Edges())
	gputest.Official(16).Fill(0, edges)
	for _, way := range gputest.Transports {
		for name := range Exchanges {
			t.Run(way.Name+"/exchange="+name, func(t *testing.T) {
				err := comm.Loopback(4, func(host comm.Transport) error {
					share := edges[len(edges)*host.Rank()/4 : len(edges)*(host.Rank()+1)/4]
					e, err := engineOn(way.Join, searching(name))(host, share)
					if err != nil {
						return err
					}
					if _, err := e.Search(edges[0].U()); err != nil {
						return err
					}
					levels, err := e.(openEngine).Engine.(trace.Tracer).Trace()
					if err != nil {
						return err
					}
					return errors.Join(checkLevels(host, levels), e.Close())
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// What crosses between hosts is told apart from what stays inside one, and is the same on all ranks together.
func TestTraceBetweenHosts(t *testing.T) {
	traced(t, onHosts(t), func(_ comm.Transport, levels []trace.Step) error {
		by := map[string]int64{}
		for _, l := range levels {
			for _, part := range l.Traffic {
				by[part.Transport] += part.Sent
			}
		}
		if by[trace.NodeTransport] == 0 || by[trace.NetworkTransport] == 0 || by[device.PeerTransport] != 0 {
			return fmt.Errorf("bytes by transports: %v", by)
		}
		return nil
	})
}

// traced searches an official graph of scale 16 on four ranks that exchange messages, and hands each its trace.
func traced(t *testing.T, launch bfstest.Launch, look func(host comm.Transport, levels []trace.Step) error) {
	t.Helper()
	edges := make(graph.HostTuples, gputest.Official(16).Edges())
	gputest.Official(16).Fill(0, edges)
	err := launch(4, func(host comm.Transport) error {
		share := edges[len(edges)*host.Rank()/4 : len(edges)*(host.Rank()+1)/4]
		e, err := engineOn(gputest.Chosen(device.MPITransport), searching("auto"))(host, share)
		if err != nil {
			return err
		}
		if _, err := e.Search(edges[0].U()); err != nil {
			return err
		}
		levels, err := e.(openEngine).Engine.(trace.Tracer).Trace()
		if err != nil {
			return err
		}
		return errors.Join(look(host, levels), checkLevels(host, levels), e.Close())
	})
	if err != nil {
		t.Error(err)
	}
}

func checkLevels(host comm.Transport, levels []trace.Step) error {
	for i, l := range levels {
		sums := make([]int64, 36) // sent and received, in six forms by three transports
		for _, part := range l.Traffic {
			form := map[string]int{
				trace.BitmapPayload: 0, trace.BinsPayload: 1, trace.RowsPayload: 2, trace.SumsPayload: 3,
				trace.QueriesPayload: 4, trace.RepliesPayload: 5,
			}[part.Payload]
			at := 2*form + 12*map[string]int{
				device.PeerTransport: 0, trace.NodeTransport: 1, trace.NetworkTransport: 2,
			}[part.Transport]
			sums[at] += part.Sent
			sums[at+1] += part.Received
		}
		if err := host.AllReduce(sums, comm.Sum); err != nil {
			return err
		}
		for at := 0; at < len(sums); at += 2 {
			if sums[at] != sums[at+1] {
				return fmt.Errorf("level %d: bytes sent and received, in bitmaps, bins, rows, sums, questions, answers, "+
					"by peers, in the host, between hosts: %d", i, sums)
			}
		}
		if l.Compute < 0 || l.Compute+l.Exchange+l.Wait != l.Nanoseconds {
			return fmt.Errorf("level %d: %+v", i, l)
		}
	}
	return nil
}

// In a graph of few vertices, each joined with all others, ranks come upon vertices in the last level that others have
// reached: they must not count as one more frontier.
func TestTraceEndsWithTheLastFrontier(t *testing.T) {
	const n = 12
	var edges graph.HostTuples
	for v := range graph.Global(n) {
		for u := range v {
			edges = append(edges, graph.NewEdge(u, v))
		}
	}
	for _, ranks := range []int{1, 2, 3, 4} {
		err := comm.Loopback(ranks, func(host comm.Transport) error {
			share := edges[len(edges)*host.Rank()/ranks : len(edges)*(host.Rank()+1)/ranks]
			e, err := engineWith(usual("auto", device.PeerTransport))(host, share)
			if err != nil {
				return err
			}
			if _, err := e.Search(0); err != nil {
				return err
			}
			levels, err := e.(openEngine).Engine.(trace.Tracer).Trace()
			inFrontiers := int64(0)
			for _, l := range levels {
				if l.Name != trace.ResultOrderStep {
					inFrontiers += l.Frontier
				}
			}
			if inFrontiers != n {
				err = errors.Join(err, fmt.Errorf("%d vertices in frontiers: %+v", inFrontiers, levels))
			}
			return errors.Join(err, e.Close())
		})
		if err != nil {
			t.Errorf("%d ranks: %v", ranks, err)
		}
	}
}
