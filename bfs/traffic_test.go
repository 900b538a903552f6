package bfs_test

import (
	"math"
	"sync/atomic"
	"testing"

	"g500/analysis/model"
	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/trace"
	"g500/kronecker"
)

// counting is a transport that counts a rank's bytes to other nodes for the visited bitmap: bits, queries and replies.
type counting struct {
	comm.Transport
	bytes *atomic.Int64
	form  string // of messages
	on    bool
}

func (t *counting) CarryForm(form string) { t.form = form }

func (t *counting) AllToAll(send [][]byte) ([][]byte, error) {
	t.count(send)
	return t.Transport.AllToAll(send)
}

func (t *counting) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	t.count(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *counting) count(send [][]byte) {
	nodes := t.Nodes()
	for r, message := range send {
		switch t.form {
		case trace.BitmapPayload, trace.QueriesPayload, trace.RepliesPayload:
			if t.on && nodes[r] != nodes[t.Rank()] {
				t.bytes.Add(int64(len(message)))
			}
		}
	}
}

// countBytes counts the bytes of searches of an official graph from the first keys that have an edge, 8 ranks a node.
func countBytes(t *testing.T, scale, ranks, keys int) float64 {
	var bytes atomic.Int64
	p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	err := comm.Loopback(ranks, func(tr comm.Transport) error {
		on := &counting{Transport: comm.EmulateNodes(tr, hostsOf(ranks, 8)), bytes: &bytes}
		lo, hi := p.Edges()*int64(tr.Rank())/int64(ranks), p.Edges()*int64(tr.Rank()+1)/int64(ranks)
		tuples := make(graph.HostTuples, hi-lo)
		p.Fill(lo, tuples)
		e, err := bfs.NewHybrid(1)(on, tuples)
		for i, left := int64(0), keys; err == nil && left > 0; i++ {
			root := p.KeyCandidate(i)
			has := []int64{0}
			if root < e.Layout().Vertices() && e.Layout().Owner(root) == on.Rank() && e.HasEdge(e.Layout().Local(root)) {
				has[0] = 1
			}
			if err = on.AllReduce(has, comm.Max); err == nil && has[0] == 1 {
				left--
				on.on = true
				_, err = e.Search(root)
				on.on = false
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return float64(bytes.Load()) / float64(keys)
}

// TestCountedTraffic compares the model's bytes between nodes for the visited bitmap with the bytes that ranks send.
// docs/model-traffic.csv has more points, counted by an earlier version of this test.
func TestCountedTraffic(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of searches")
	}
	const keys = 32
	for _, at := range []struct{ scale, ranks int }{{14, 64}, {12, 32}} {
		g, err := model.NewGraph(at.scale)
		if err != nil {
			t.Fatal(err)
		}
		for _, queriesFrom := range []int{math.MaxInt, 0} { // all bits; hubs' bits and queries
			bounds := bfs.DefaultBounds()
			bounds.TiersFrom, bounds.QueriesFrom = 0, queriesFrom
			withBounds(t, bounds)
			got, want := countBytes(t, at.scale, at.ranks, keys), model.BytesBetweenNodes(g, at.ranks, 8, bounds)
			if math.Abs(want/got-1) > 0.06 {
				t.Errorf("scale %d, %d ranks, queries from %d: %.0f bytes, the model has %.0f", at.scale, at.ranks,
					queriesFrom, got, want)
			}
		}
	}
}
