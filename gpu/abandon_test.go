// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/bench"
	"g500/comm"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/gputest"
	gpusssp "g500/gpu/sssp"
	"g500/graph"
	"g500/policy"
	"g500/sssp"
)

// longPath returns a path. A search has one level per vertex, enough to read its host's request to end.
func longPath() graph.HostWeightedTuples {
	const n = 1 << 16
	list := graph.HostWeightedTuples{HostTuples: make(graph.HostTuples, n), Weights: slices.Repeat([]float32{1}, n)}
	for v := range list.HostTuples {
		list.HostTuples[v] = graph.NewEdge(graph.Global(v), graph.Global(v+1))
	}
	return list
}

// abandoner is an engine of either kernel.
type abandoner struct {
	bench.Abandoner
	search, close func() error
}

// newAbandoner makes an engine.
type newAbandoner func(tr device.Transport, list graph.HostWeightedTuples) (abandoner, error)

func levelSearcher(tr device.Transport, list graph.HostWeightedTuples) (abandoner, error) {
	e, err := gpubfs.New(tr, list.HostTuples, gpubfs.DefaultOptions())
	return abandoner{e, func() error { _, err := e.Search(0); return err }, e.Close}, err
}

func pathSearcher(tr device.Transport, list graph.HostWeightedTuples) (abandoner, error) {
	e, err := gpusssp.New(tr, list, gpusssp.Options{Policy: policy.Default(), Prune: sssp.PruneNone})
	return abandoner{e, func() error { _, err := e.Search(0); return err }, e.Close}, err
}

// A search that one rank abandons ends on all ranks with comm.ErrAbandoned, and the engine's next search fails.
func TestAbandon(t *testing.T) {
	list := longPath()
	for name, begin := range map[string]newAbandoner{"levels": levelSearcher, "paths": pathSearcher} {
		for _, transport := range []string{device.PeerTransport, device.StagedTransport} {
			for ranks := 1; ranks <= 3; ranks++ {
				t.Run(fmt.Sprintf("%s/%s/ranks=%d", name, transport, ranks), func(t *testing.T) {
					abandonOn(t, ranks, transport, list, begin)
				})
			}
		}
	}
}

func abandonOn(t *testing.T, ranks int, transport string, list graph.HostWeightedTuples, begin newAbandoner) {
	gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
		gputest.Joined(host, transport, func(tr device.Transport) {
			n, r := len(list.Weights)/ranks, host.Rank()
			s, err := begin(tr, graph.HostWeightedTuples{
				HostTuples: list.HostTuples[r*n : (r+1)*n], Weights: list.Weights[r*n : (r+1)*n],
			})
			gputest.Check(comm.Agree(host, err))
			if r == ranks-1 {
				s.Abandon()
			}
			gputest.Check(host.Barrier())
			if err := s.search(); !errors.Is(err, comm.ErrAbandoned) {
				gputest.Check(fmt.Errorf("rank %d: an abandoned search returns %v", r, err))
			}
			if err := s.search(); err == nil ||
				!errors.Is(err, comm.ErrAbandoned) && !strings.Contains(err.Error(), "earlier search has failed") {
				gputest.Check(fmt.Errorf("rank %d: the next search returns %v", r, err))
			}
			gputest.Check(host.Barrier(), s.close())
		})
	})
}
