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

// inQueryMode launches ranks on declared nodes of two ranks each, which are in query mode in graphs of any size until
// the test ends.
func inQueryMode(t *testing.T) bfstest.Launch {
	launch := onHosts(t)
	bounds.QueriesFrom = 0
	return launch
}

// Ranks of several nodes replicate few bits and query the others. The ranks of a node are peers, share memory or send
// messages too.
func TestConformanceInQueryMode(t *testing.T) {
	for _, way := range gputest.Transports[:4] {
		for name := range Exchanges {
			for _, wide := range []bool{false, true} {
				o := searching(name)
				o.IDs64 = wide
				t.Run(fmt.Sprintf("%s/exchange=%s/wide=%v", way.Name, name, wide), func(t *testing.T) {
					gputest.BothWays(t, func(t *testing.T) { bfstest.Run(t, engineOn(way.Join, o), inQueryMode(t), 3, 4) })
				})
			}
		}
	}
}

// Queries go in rounds if buffers are small, and parents that were found by a reply have labels that must be queried.
func TestConformanceWithQueriesInRounds(t *testing.T) {
	o := searching("auto")
	o.Known, o.Policy.RoundPairs = 1, 24
	engine := engineOn(gputest.Chosen(device.MPITransport), o)
	gputest.BothWays(t, func(t *testing.T) { bfstest.Run(t, engine, inQueryMode(t), 4) })
}

// The trace has queries and replies, which together are less than the bits that they replace. Ranks are on nodes of
// their own: the more nodes, the fewer bits are replicated, and the more queries there are.
func TestTraceOfQueries(t *testing.T) {
	sent := func(launch bfstest.Launch) map[string]int64 {
		by := map[string]int64{}
		traced(t, launch, func(host comm.Transport, levels []trace.Step) error {
			for _, l := range levels {
				for _, part := range l.Traffic {
					if host.Rank() == 0 && part.Transport == trace.NetworkTransport {
						by[part.Payload] += part.Sent
					}
				}
			}
			return nil
		})
		return by
	}
	launch := onHostsOf(t, 1)
	replicating := sent(launch)
	bounds.QueriesFrom = 0
	querying := sent(launch)
	some := querying[trace.QueriesPayload] > 0 && querying[trace.RepliesPayload] > 0 &&
		replicating[trace.QueriesPayload] == 0
	if !some || querying[trace.BitmapPayload] >= replicating[trace.BitmapPayload] {
		t.Errorf("bytes to other hosts, in query mode %v, else %v", querying, replicating)
	}
}
