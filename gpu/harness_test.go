//go:build cuda && cgo

package gpu

import (
	"errors"
	"slices"
	"testing"

	"g500/bench"
	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/kronecker"
)

// open takes the first GPU for a test.
func open(t *testing.T) *cuda.Device {
	t.Helper()
	d, err := cuda.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func official(scale int) kronecker.Params {
	return kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
}

// closing is an engine that closes its kit, as the end of a run does.
type closing struct {
	bfs.Engine
	kit bench.Kit
}

func (c closing) Close() error { return errors.Join(c.Engine.Close(), c.kit.Release()) }

func kernel1(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
	kit, err := Kit(t, Options{})
	if err != nil {
		return nil, err
	}
	e, err := kit.Kernel1(t, tuples)
	if err != nil {
		return nil, errors.Join(err, kit.Release())
	}
	return closing{e, kit}, nil
}

func TestConformance(t *testing.T) { bfstest.Run(t, kernel1, comm.Loopback, 1) }

// The suite's graphs with their names, and official ones.
func graphs() []bfstest.Case {
	all := bfstest.Cases()
	for _, scale := range []int{6, 13} {
		edges := make([]graph.Edge, official(scale).Edges())
		official(scale).Fill(0, edges)
		all = append(all, bfstest.Case{Name: "official", Edges: edges, Roots: []graph.Global{edges[0].U()}})
	}
	return slices.Clip(all)
}

func TestSeveralRanksAreRefused(t *testing.T) {
	err := comm.Loopback(2, func(tr comm.Transport) error {
		_, err := Kit(tr, Options{})
		return comm.Agree(tr, err)
	})
	if err == nil {
		t.Error("two ranks got a kit")
	}
}

// Every vertex that is reached stands once in a frontier.
func TestTrace(t *testing.T) {
	d := open(t)
	edges := make(graph.HostTuples, official(14).Edges())
	official(14).Fill(0, edges)
	e, err := newEngine(d, edges)
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.BFS(edges[0].U())
	if err != nil {
		t.Fatal(err)
	}
	parents, err := result.Parents()
	if err != nil {
		t.Fatal(err)
	}
	reached := int64(0)
	for _, parent := range parents {
		if parent != graph.NoParent {
			reached++
		}
	}
	levels, err := e.Trace()
	if err != nil {
		t.Fatal(err)
	}
	inFrontiers := int64(0)
	for _, l := range levels {
		if l.Step != bfs.LabelOrderStep {
			inFrontiers += l.Frontier
		}
	}
	if inFrontiers != reached {
		t.Errorf("%d vertices in frontiers, %d reached: %+v", inFrontiers, reached, levels)
	}
}
