//go:build cuda && cgo

package bfs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/trace"
	"g500/validate"
)

// smallGraphPolicy is a policy by which searches of small graphs take every step that there is, and send pairs in
// several rounds.
func smallGraphPolicy() bfs.Policy {
	p := bfs.DefaultPolicy()
	p.Alpha, p.AlphaShared, p.AlphaMessages = 3, 3, 3
	p.FewEdges, p.PullHubs = 20, 0
	p.ReplicatedEdges = 40
	p.BitmapShare, p.BitmapEdges = 1000, 10
	p.SegmentCore, p.SegmentEdges, p.SegmentShare, p.SegmentAlpha = 0, 20, 100, 1
	p.SegmentHubs, p.SegmentPulled = 128, 256
	p.HubCore, p.HubShare = 0, 1<<20 // one hub a rank
	p.RoundPairs = 64
	return p
}

// The ways that ranks of one host can exchange in a search.
const (
	byPeers    = "peers"
	byShared   = "shared memory"
	byMessages = "messages"
)

// stepsOf are the variants of steps by which searches on so many ranks go, in all.
func stepsOf(exchange, way string, ranks int) []string {
	push, pull := []string{trace.PushVariant}, []string{trace.PullVariant, trace.PullHubsVariant}
	remote := ranks > 1 && way != byPeers
	switch {
	case exchange == "bins":
		return push
	case exchange == "bitmap" && remote: // but for the root's level
		return append(pull, trace.PushVariant)
	case exchange == "bitmap" && ranks > 1:
		return append(pull, trace.PushVariant, trace.PushBitmapVariant)
	}
	all := slices.Concat(push, pull, []string{trace.PullResidualVariant})
	switch {
	case ranks == 1:
		all = append(all, trace.PushSegmentsVariant)
	case !remote:
		all = append(all, trace.PushBitmapVariant, trace.PushReplicatedVariant)
	}
	return all
}

// policyGraph is a graph with the levels from its roots, as the CPU engine finds them.
type policyGraph struct {
	bfstest.Case
	levels [][]int32 // by root
}

// policyGraphs are graphs whose searches, taken together, have levels of all kinds: long and sparse ones, and those of
// hubs and leaves.
func policyGraphs(t *testing.T) (all []policyGraph) {
	t.Helper()
	const scale, roots = 10, 8
	edges := make([]graph.Edge, gputest.Official(scale).Edges())
	gputest.Official(scale).Fill(0, edges)
	cases := []bfstest.Case{{Name: "official", Edges: edges}}
	for i := range roots {
		cases[0].Roots = append(cases[0].Roots, edges[i*len(edges)/roots].U())
	}
	for _, c := range bfstest.Cases() {
		if slices.Contains([]string{"grid", "random, sparse", "hubs and leaves"}, c.Name) {
			cases = append(cases, c)
		}
	}
	for _, c := range cases {
		g := policyGraph{Case: c, levels: make([][]int32, len(c.Roots))}
		err := comm.Loopback(1, func(host comm.Transport) error {
			keep := func(i int, levels []int32) error {
				g.levels[i] = levels
				return nil
			}
			return eachTree(host, bfs.NewTopDown, c.Edges, c.Roots, keep)
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

// Every step that there is for a form of exchange is taken, and no other; and whatever the steps, each tree is right.
func TestEveryStepOfAPolicy(t *testing.T) {
	all := policyGraphs(t)
	for _, ranks := range []int{1, 2, 3, 4} {
		for _, way := range []string{byPeers, byShared, byMessages} {
			if ranks == 1 && way != byPeers {
				continue
			}
			for exchange := range Exchanges {
				t.Run(fmt.Sprintf("ranks=%d/%s/exchange=%s", ranks, way, exchange), func(t *testing.T) {
					checkSteps(t, all, exchange, way, ranks)
				})
			}
		}
	}
}

func checkSteps(t *testing.T, all []policyGraph, exchange, way string, ranks int) {
	o := usual(exchange, device.PeerTransport)
	o.policy = smallGraphPolicy()
	if ranks%2 == 0 {
		o = short(o)
	}
	if way != byPeers {
		o.transport = device.MPITransport
	}
	if way == byMessages {
		gputest.WithoutSharedWindows(t)
	}
	reached := map[string]bool{}
	mostPairs := int64(0) // that a rank sent in one level
	for _, g := range all {
		err := comm.Loopback(ranks, func(host comm.Transport) error {
			return g.search(host, engineWith(o), func(levels []trace.Step) error {
				pairs, err := mostSent(host, levels)
				if host.Rank() > 0 || err != nil {
					return err
				}
				mostPairs = max(mostPairs, pairs)
				for _, l := range levels {
					if l.Variant == trace.PullListingVariant {
						continue // where hubs are out of reach
					}
					if l.Name != trace.ResultOrderStep {
						reached[l.Variant] = true
					}
				}
				return nil
			})
		})
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
	}
	got, want := slices.Sorted(maps.Keys(reached)), slices.Sorted(slices.Values(stepsOf(exchange, way, ranks)))
	if !slices.Equal(got, want) {
		t.Errorf("the steps are %q, want %q", got, want)
	}
	sendsPairs := ranks > 1 && (exchange == "bins" || exchange == "auto" && way != byPeers)
	if sendsPairs && mostPairs <= o.policy.RoundPairs {
		t.Errorf("no rank sent more than %d pairs in a level: all fit into one round", mostPairs)
	}
}

// mostSent is the largest number of pairs that a rank sent in one level. It is collective.
func mostSent(host comm.Transport, levels []trace.Step) (int64, error) {
	most := []int64{0}
	for _, l := range levels {
		pairs := int64(0)
		for _, t := range l.Traffic {
			if t.Payload == trace.BinsPayload {
				pairs += t.Sent / pairBytes
			}
		}
		most[0] = max(most[0], pairs)
	}
	err := host.AllReduce(most, comm.Max)
	return most[0], err
}

// search searches from all roots, twice round, and has the CPU's judge and engine say whether the trees are right. It
// hands out what each search did.
func (g policyGraph) search(host comm.Transport, engine bfs.New, see func([]trace.Step) error) (err error) {
	mine := gputest.Cut(g.Edges, host.Rank(), host.Size(), true)
	e, err := engine(host, graph.HostTuples(mine))
	if err != nil {
		return err
	}
	judge, err := validate.New(host, e.Layout(), graph.HostTuples(mine), 1)
	if err != nil {
		return errors.Join(err, e.Close())
	}
	for i := range 2 * len(g.Roots) {
		i %= len(g.Roots)
		if err := g.searchFrom(host, e, judge, i); err != nil {
			return errors.Join(fmt.Errorf("root %d: %w", g.Roots[i], err), e.Close())
		}
		levels, err := e.(openEngine).Engine.(trace.Tracer).Trace()
		if err == nil {
			err = see(levels)
		}
		if err != nil {
			return errors.Join(err, e.Close())
		}
	}
	return e.Close()
}

// searchFrom searches from the i-th root.
func (g policyGraph) searchFrom(host comm.Transport, e bfs.Engine, judge *validate.Validator, i int) error {
	root := g.Roots[i]
	parents, err := bfstest.Search(host, e, root)
	if err != nil {
		return err
	}
	if !slices.Equal(bfstest.Levels(root, parents), g.levels[i]) {
		return errors.New("not the levels of the CPU engine")
	}
	layout := e.Layout()
	own := make([]graph.Global, layout.Count(host.Rank()))
	for l := range own {
		own[l] = parents[layout.Global(host.Rank(), graph.Local(l))]
	}
	verdict, err := judge.Tree(root, own)
	if err == nil && verdict.Fault != nil {
		err = verdict.Fault
	}
	return err
}
