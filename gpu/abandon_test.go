//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/gputest"
	gpusssp "g500/gpu/sssp"
	"g500/graph"
	"g500/sssp"
)

// A path, on which a search has one level per vertex: enough for it to read its host's request.
func longPath() graph.HostWeightedTuples {
	const n = 1 << 16
	list := graph.HostWeightedTuples{HostTuples: make(graph.HostTuples, n), Weights: make([]float32, n)}
	for v := range list.HostTuples {
		list.HostTuples[v] = graph.NewEdge(graph.Global(v), graph.Global(v+1))
		list.Weights[v] = 1
	}
	return list
}

// partOf is a rank's share of tuples.
func partOf(t comm.Transport, list graph.HostWeightedTuples) graph.HostWeightedTuples {
	n, r := len(list.Weights)/t.Size(), t.Rank()
	return graph.HostWeightedTuples{HostTuples: list.HostTuples[r*n : (r+1)*n], Weights: list.Weights[r*n : (r+1)*n]}
}

// abandoner is an engine of either kernel.
type abandoner struct {
	abandon func()
	close   func() error
	search  func() error
}

// abandonerOf makes an abandoner.
type abandonerOf func(tr device.Transport, list graph.HostWeightedTuples) (abandoner, error)

func levelSearcher(tr device.Transport, list graph.HostWeightedTuples) (abandoner, error) {
	e, err := gpubfs.New(tr, list.HostTuples, gpubfs.DefaultOptions())
	if err != nil {
		return abandoner{}, err
	}
	return abandoner{
		e.Abandon, e.Close,
		func() error { _, err := e.Search(0); return err },
	}, nil
}

func pathSearcher(tr device.Transport, list graph.HostWeightedTuples) (abandoner, error) {
	e, err := gpusssp.New(tr, list, gpusssp.Options{Policy: bfs.DefaultPolicy(), Prune: sssp.PruneNone})
	if err != nil {
		return abandoner{}, err
	}
	return abandoner{
		e.Abandon, e.Close,
		func() error { _, err := e.Search(0); return err },
	}, nil
}

// A search that one rank abandons ends on all of them, with comm.ErrAbandoned, and the engine searches no more.
func TestAbandon(t *testing.T) {
	list := longPath()
	for name, begin := range map[string]abandonerOf{"levels": levelSearcher, "paths": pathSearcher} {
		for _, transport := range []string{device.PeerTransport, device.StagedTransport} {
			for ranks := 1; ranks <= 3; ranks++ {
				t.Run(fmt.Sprintf("%s/%s/ranks=%d", name, transport, ranks), func(t *testing.T) {
					err := comm.Loopback(ranks, func(host comm.Transport) error {
						return gputest.Joined(host, transport, func(tr device.Transport) error { return abandonOn(tr, list, begin) })
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// Abandoned searches of ranks whose hosts exchange messages.
func TestAbandonWithMessages(t *testing.T) {
	gputest.WithoutSharedWindows(t)
	list := longPath()
	err := comm.Loopback(2, func(host comm.Transport) error {
		return gputest.Joined(host, device.StagedTransport, func(tr device.Transport) error {
			return abandonOn(tr, list, levelSearcher)
		})
	})
	if err != nil {
		t.Error(err)
	}
}

func abandonOn(tr device.Transport, list graph.HostWeightedTuples, begin abandonerOf) error {
	host := tr.Host()
	s, err := begin(tr, partOf(host, list))
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	if host.Rank() == host.Size()-1 {
		s.abandon()
	}
	if err := host.Barrier(); err != nil {
		return err
	}
	if err := s.search(); !errors.Is(err, comm.ErrAbandoned) {
		return fmt.Errorf("rank %d: an abandoned search returns %v", host.Rank(), err)
	}
	if err := s.search(); err == nil ||
		!errors.Is(err, comm.ErrAbandoned) && !strings.Contains(err.Error(), "earlier search has failed") {
		return fmt.Errorf("rank %d: the next search returns %v", host.Rank(), err)
	}
	return errors.Join(host.Barrier(), s.close())
}
