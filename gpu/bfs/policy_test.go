// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package bfs

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/policy"
)

// smallGraphPolicy returns a policy with which searches of small graphs take every step and send pairs in several
// rounds.
func smallGraphPolicy() policy.Policy {
	p := policy.Default()
	p.Alpha, p.FewEdges, p.PullHubs = 3, 20, 0
	p.ReplicatedEdges = 40
	p.SegmentVertices, p.SegmentEdges, p.SegmentShare = 0, 20, 100
	p.SegmentHubs, p.SegmentPulled = 512, 1024
	p.SplitAlpha, p.SplitHubs = 1, 16    // levels with 33% to 50% of the remaining edges
	p.HubVertices, p.HubShare = 0, 1<<20 // one hub per rank
	p.RoundPairs = 64
	return p
}

// The exchanges between ranks of one node.
const (
	byPeers   = "peers"
	byLevels  = "level by level"
	byQueries = "level by level, with queries"
)

// mostSplitting is the number of ranks up to which a graph of the test has a split level. More ranks replicate smaller
// frontiers only, before which there may be none.
const mostSplitting = 2

// stepsOf returns the variants of steps that searches on that many ranks must take.
func stepsOf(exchange, way string, ranks int) []string {
	push, pull := []string{trace.PushVariant}, []string{trace.PullVariant}
	remote := ranks > 1 && way != byPeers
	switch {
	case exchange == "bins":
		return push
	case exchange == "bitmap" && ranks > 1: // pushes the root's level
		return append(pull, trace.PushVariant, trace.PullHubsVariant)
	}
	all := slices.Concat(push, pull, []string{trace.PullRemainingVariant})
	if remote {
		all = append(all, trace.DecideVariant)
	} else {
		all = append(all, trace.PullHubsVariant, trace.PushSegmentsVariant)
	}
	if !remote && ranks <= mostSplitting {
		all = append(all, trace.SplitVariant)
	}
	if !remote && ranks > 1 {
		all = append(all, trace.PushReplicatedVariant)
	}
	return all
}

// policyGraphs returns graphs whose searches have all kinds of levels: long and sparse ones, hubs and leaves.
func policyGraphs(t *testing.T) []bfstest.Case {
	t.Helper()
	const roots = 8
	edges := enginetest.OfficialEdges(10)
	cases := []bfstest.Case{{Name: "official", Edges: edges}}
	for i := range roots {
		cases[0].Roots = append(cases[0].Roots, edges[i*len(edges)/roots].U())
	}
	for _, c := range bfstest.Cases() {
		if slices.Contains([]string{"random, sparse", "hubs and leaves"}, c.Name) {
			cases = append(cases, c)
		}
	}
	expect.Must(t, len(cases) == 3, "the suite lacks graphs: %d", len(cases))
	grid := bfstest.Case{Name: "grid", Roots: []graph.Global{0, 200, 390}} // late levels with small frontiers
	for v := range graph.Global(23 * 17) {
		if v%23 > 0 {
			grid.Edges = append(grid.Edges, graph.NewEdge(v-1, v))
		}
		if v >= 23 {
			grid.Edges = append(grid.Edges, graph.NewEdge(v-23, v))
		}
	}
	return append(cases, grid)
}

// observed is an engine that calls see with the trace of each search.
type observed struct {
	openEngine
	see func([]trace.Step)
}

func (k observed) Search(root graph.Global) (engine.Result, error) {
	tree, err := k.openEngine.Search(root)
	if err == nil {
		k.see(gputest.Must(k.Trace()))
	}
	return tree, err
}

// Searches take every step of an exchange and no other, and each tree is right.
func TestEveryStepOfAPolicy(t *testing.T) {
	all := policyGraphs(t)
	for _, ranks := range []int{1, 2, 3, 4} {
		for _, way := range []string{byPeers, byLevels, byQueries} {
			if ranks == 1 && way != byPeers {
				continue
			}
			for _, exchange := range exchanges {
				if way == byQueries && exchange == "bitmap" {
					continue
				}
				t.Run(fmt.Sprintf("ranks=%d/%s/exchange=%s", ranks, way, exchange), func(t *testing.T) {
					checkSteps(t, all, exchange, way, ranks)
				})
			}
		}
	}
}

func checkSteps(t *testing.T, all []bfstest.Case, exchange, way string, ranks int) {
	o, transport := searching(exchange), device.PeerTransport
	o.Policy = smallGraphPolicy()
	if ranks%2 == 0 {
		o.Bits = 32
	}
	if way != byPeers {
		transport = device.MPITransport
	}
	if way == byQueries {
		o.Policy.BitQueries = 2
	}
	reached := map[string]bool{}
	mostPairs := int64(0) // of a rank in one level
	for _, c := range all {
		gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
			see := func(levels []trace.Step) {
				pairs := mostSent(host, levels)
				if host.Rank() > 0 {
					return
				}
				mostPairs = max(mostPairs, pairs)
				for _, l := range levels { // pull-listing depends on the reach of hubs
					maySplit := l.Variant == trace.SplitVariant && ranks > mostSplitting
					if l.Variant != trace.PullListingVariant && !maySplit && l.Name != trace.ResultOrderStep {
						reached[l.Variant] = true
					}
				}
			}
			engine := func(host comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
				e := gputest.Must(engineOn(gputest.Chosen(transport), o)(host, tuples))
				return observed{e.(openEngine), see}, nil
			}
			gputest.Check(bfstest.Check(host, engine, c))
		})
	}
	got, want := slices.Sorted(maps.Keys(reached)), slices.Sorted(slices.Values(stepsOf(exchange, way, ranks)))
	expect.Equal(t, got, want, "steps")
	sendsPairs := ranks > 1 && (exchange == "bins" || exchange == "auto" && way != byPeers)
	expect.That(t, !sendsPairs || mostPairs > o.Policy.RoundPairs,
		"no rank sent more than %d pairs in a level: all fit into one round", mostPairs)
}

// mostSent returns the largest number of pairs that a rank sent in one level. It is collective.
func mostSent(host comm.Transport, levels []trace.Step) (most int64) {
	for _, l := range levels {
		pairs := int64(0)
		for _, t := range l.Traffic {
			if t.Payload == trace.BinsPayload {
				pairs += t.Sent / 8
			}
		}
		most = max(most, pairs)
	}
	return gputest.Must(comm.Reduce(host, most, comm.Max))
}
