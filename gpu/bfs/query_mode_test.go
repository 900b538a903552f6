//go:build cuda && cgo

package bfs

import (
	"fmt"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/internal/trace"
)

// inQueryMode launches ranks on emulated nodes of two ranks, which are in query mode in graphs of any size until the
// test ends.
func inQueryMode(t *testing.T) bfstest.Launch {
	launch := onNodesOf(t, 2)
	bounds.QueriesFrom = 0
	return launch
}

// The ranks of a node are peers, share memory or exchange messages.
func TestConformanceInQueryMode(t *testing.T) {
	for _, way := range gputest.Transports[:4] {
		for name := range Exchanges {
			for _, ids64 := range []bool{false, true} {
				o := searching(name)
				o.IDs64 = ids64
				t.Run(fmt.Sprintf("%s/exchange=%s/64-bit=%v", way.Name, name, ids64), func(t *testing.T) {
					gputest.BothExchanges(t, func(t *testing.T) {
						bfstest.Run(t, engineOn(way.Join, o), inQueryMode(t), 3, 4, many)
					})
				})
			}
		}
	}
}

// With small buffers queries take several rounds, and labels of parents that a reply has found are queried after the
// search.
func TestConformanceWithQueriesInRounds(t *testing.T) {
	o := searching("auto")
	o.Known, o.Policy.RoundPairs = 1, 24
	engine := engineOn(gputest.Chosen(device.MPITransport), o)
	gputest.BothExchanges(t, func(t *testing.T) { bfstest.Run(t, engine, inQueryMode(t), 4) })
}

// In query mode the trace has queries and replies, and fewer bits than without. With one rank per node few bits are
// replicated and queries are frequent.
func TestTraceOfQueries(t *testing.T) {
	sent := func(launch bfstest.Launch) map[string]int64 {
		by := map[string]int64{}
		engine := engineWith(usual("auto", device.MPITransport))
		traced(t, launch, engine, func(host comm.Transport, levels []trace.Step) {
			for _, l := range levels {
				for _, part := range l.Traffic {
					if host.Rank() == 0 && part.Transport == trace.NetworkTransport {
						by[part.Payload] += part.Sent
					}
				}
			}
		})
		return by
	}
	launch := onNodesOf(t, 1)
	replicating := sent(launch)
	bounds.QueriesFrom = 0
	querying := sent(launch)
	some := querying[trace.QueriesPayload] > 0 && querying[trace.RepliesPayload] > 0 &&
		replicating[trace.QueriesPayload] == 0
	if !some || querying[trace.BitmapPayload] >= replicating[trace.BitmapPayload] {
		t.Errorf("bytes to other nodes: %v in query mode, else %v", querying, replicating)
	}
}
