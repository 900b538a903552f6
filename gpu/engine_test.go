//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"testing"

	"g500/bench"
	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
)

// kitEngine is an engine that closes its kit, as the end of a run does.
type kitEngine struct {
	bfs.Engine
	kit bench.Kit
}

func (k kitEngine) Close() error { return errors.Join(k.Engine.Close(), k.kit.Release()) }

// engineWith is kernel 1 of a kit of its own.
func engineWith(o Options) bfs.New {
	return func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		kit, err := Kit(t, o)
		if err != nil {
			return nil, err
		}
		e, err := kit.Kernel1(t, tuples)
		if err != nil {
			return nil, errors.Join(err, kit.Release())
		}
		return kitEngine{e, kit}, nil
	}
}

// waysToSearch are the ways that words can take, and the forms that they can have.
var waysToSearch = []Options{{"auto", carrierPeer}, {"bitmap", carrierPeer}, {"bins", carrierPeer}}

// Ranks are goroutines that share the GPUs that there are.
func TestConformance(t *testing.T) {
	for _, way := range waysToSearch {
		t.Run(fmt.Sprintf("exchange=%s/carrier=%s", way.Exchange, way.Carrier), func(t *testing.T) {
			bfstest.Run(t, engineWith(way), comm.Loopback, 1, 2, 3, 4)
		})
	}
}

// Where a rank knows hardly any label, parents' labels come from their owners.
func TestConformanceWithFewKnownLabels(t *testing.T) {
	engine := func(host comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		rank, _ := host.Node()
		d, err := cuda.Open(rank)
		if err != nil {
			return nil, err
		}
		tr, err := newTransport(host, d, carrierPeer)
		if err != nil {
			return nil, err
		}
		e, err := newEngineKnowing(tr, tuples, cuda.ExchangeAuto, 1)
		release := func() error { return errors.Join(tr.Barrier(), tr.Close(), d.Close()) }
		return kitEngine{e, bench.Kit{Close: release}}, err
	}
	bfstest.Run(t, engine, comm.Loopback, 2, 4)
}

// Every vertex that is reached stands once in a frontier.
func TestTrace(t *testing.T) {
	edges := make(graph.HostTuples, official(14).Edges())
	official(14).Fill(0, edges)
	onOne(t, func(tr DeviceTransport) error {
		e, err := newEngine(tr, edges, cuda.ExchangeAuto)
		if err != nil {
			return err
		}
		defer e.Close()
		result, err := e.BFS(edges[0].U())
		if err != nil {
			return err
		}
		parents, err := result.Parents()
		if err != nil {
			return err
		}
		reached := int64(0)
		for _, parent := range parents {
			if parent != graph.NoParent {
				reached++
			}
		}
		levels, err := e.Trace()
		inFrontiers := int64(0)
		for _, l := range levels {
			if l.Step != bfs.LabelOrderStep {
				inFrontiers += l.Frontier
			}
		}
		if inFrontiers != reached {
			t.Errorf("%d vertices in frontiers, %d reached: %+v", inFrontiers, reached, levels)
		}
		return err
	})
}

// What one rank sends in a level, the others receive, and the parts of a level's time make up the whole.
func TestTraceOfSeveralRanks(t *testing.T) {
	edges := make(graph.HostTuples, official(16).Edges())
	official(16).Fill(0, edges)
	err := comm.Loopback(3, func(host comm.Transport) error {
		return joined(host, carrierPeer, func(tr DeviceTransport) error {
			share := edges[len(edges)*host.Rank()/3 : len(edges)*(host.Rank()+1)/3]
			e, err := newEngine(tr, share, cuda.ExchangeAuto)
			if err != nil {
				return err
			}
			defer e.Close()
			if _, err := e.BFS(edges[0].U()); err != nil {
				return err
			}
			levels, err := e.Trace()
			if err != nil {
				return err
			}
			for i, l := range levels {
				sums := make([]int64, 4)
				for _, part := range l.Traffic {
					form := map[string]int{bfs.BitmapForm: 0, bfs.BinsForm: 2}[part.Form]
					sums[form] += part.Sent
					sums[form+1] += part.Received
				}
				if err := host.AllReduce(sums, comm.Sum); err != nil {
					return err
				}
				if sums[0] != sums[1] || sums[2] != sums[3] {
					return fmt.Errorf("level %d: bitmap bytes %d sent, %d received; bins %d, %d", i, sums[0], sums[1], sums[2], sums[3])
				}
				if l.Compute < 0 || l.Compute+l.Exchange+l.Wait != l.Nanoseconds {
					return fmt.Errorf("level %d: %+v", i, l)
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
}
