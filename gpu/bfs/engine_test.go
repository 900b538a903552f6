// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package bfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/settings"
	"g500/validate"
)

// openEngine is an engine that closes its device, as the end of a run does.
type openEngine struct {
	*Engine
	release func() error
}

// Search pre-launches the searches from even roots.
func (k openEngine) Search(root graph.Global) (engine.Result, error) {
	if root%2 == 0 {
		if err := k.Engine.Prelaunch(); err != nil {
			return nil, err
		}
	}
	return k.Engine.Search(root)
}

// Close closes an engine whose next search is pre-launched.
func (k openEngine) Close() error {
	return errors.Join(k.Engine.Prelaunch(), k.Engine.Close(), k.release())
}

// exchanges has the values of --exchange.
var exchanges = settings.Of("search.exchange").Values

// searching returns the default options with a value of --exchange.
func searching(exchange string) Options {
	o := DefaultOptions()
	o.Exchange = exchange
	return o
}

// engineOn returns engines with devices of their own, joined by join.
func engineOn(join gputest.Join, o Options) bfs.New {
	return func(host comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
		place, _ := comm.Place(host)
		d, err := cuda.Open(place)
		if err != nil {
			return nil, err
		}
		c, err := join(host, d, device.StagingBytes)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		e, err := New(c, tuples, o)
		return openEngine{e, func() error { return errors.Join(c.Barrier(), c.Close(), d.Close()) }}, err
	}
}

// engineOf returns engines of an exchange, joined by a value of --gpu-transport.
func engineOf(exchange, transport string) bfs.New {
	return engineOn(gputest.Chosen(transport), searching(exchange))
}

// open returns a rank's engine on its equal share of the edges.
func open(host comm.Transport, engine bfs.New, edges []graph.Edge) openEngine {
	return gputest.Must(engine(host, gputest.Share(edges, host))).(openEngine)
}

// many ranks are more than a warp publishes at once (cuda/common/barriers.cuh).
const many = 8

// conform runs the suite for an engine.
func conform(t *testing.T, name string, join gputest.Join, o Options, launch bfstest.Launch, ranks ...int) {
	t.Run(name, func(t *testing.T) { bfstest.Run(t, engineOn(join, o), launch, ranks...) })
}

// Ranks are goroutines that share the GPUs.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(o *Options)
		ranks  []int
	}{
		{"bits=64", func(*Options) {}, []int{1, 2, 3, 4, many}},
		{"bits=32", func(o *Options) { o.Bits = 32 }, []int{1, many}},
		{"labels=64", func(o *Options) { o.Labels64 = true }, []int{2, 3, 4}}, // and 64-bit ids if they are no peers
		{"packed rows", func(o *Options) { o.Packed = true }, []int{1, 2, 3, 4}},
	} {
		for _, exchange := range exchanges {
			for _, transport := range []string{device.PeerTransport, device.MPITransport} {
				o := searching(exchange)
				c.change(&o)
				name := fmt.Sprintf("exchange=%s/transport=%s/%s", exchange, transport, c.name)
				conform(t, name, gputest.Chosen(transport), o, comm.Loopback, c.ranks...)
			}
		}
	}
}

// Ranks are on several nodes, peers within nodes of unequal sizes, or peers of some ranks; some numbers are odd.
func TestConformanceOfDomains(t *testing.T) {
	for _, exchange := range exchanges {
		o, name := searching(exchange), "/exchange="+exchange
		conform(t, "nodes"+name, gputest.Chosen(device.MPITransport), o, enginetest.OnNodes(2, 2, 2, 2), 3, 4, many)
		for _, sizes := range gputest.Domains {
			conform(t, fmt.Sprint(sizes)+name, gputest.Chosen("peer+staged"), o, enginetest.OnNodes(sizes...),
				len(enginetest.NodesOf(sizes...)))
		}
		for _, way := range gputest.Transports {
			if way.SomePeers {
				conform(t, way.Name+name, way.Join, o, comm.Loopback, 3, 4)
			}
		}
	}
}

// If a rank stores few labels, parents' labels come from their owners: from peers during the search, from remote ranks
// after it.
func TestConformanceWithFewKnownLabels(t *testing.T) {
	o := searching("auto")
	o.Known = 1
	for _, o.Bits = range []int{64, 32} {
		for _, way := range gputest.Transports {
			conform(t, fmt.Sprintf("%s/bits=%d", way.Name, o.Bits), way.Join, o, comm.Loopback, 2, 4)
		}
	}
}

// The result is in device memory with the selected number of bits per parent, and has the same parents in both formats.
// All bits of an unreached vertex are set.
func TestResultsOfBothLengths(t *testing.T) {
	edges := enginetest.OfficialEdges(13)
	gputest.Alone(t, func(tr device.Transport) {
		o := searching("auto")
		for _, o.Bits = range []int{64, 32} {
			e := gputest.Must(New(tr, graph.HostTuples{Edges: edges}, o))
			result := gputest.Must(e.Search(edges[0].U()))
			memory, vertices := result.(device.Result).Parents, int64(e.Layout().Vertices())
			expect.Equal(t, memory.Bytes(), vertices*int64(o.Bits)/8, o.Bits, "bits per parent", vertices, "vertices take",
				"bytes")
			bytes := make([]byte, memory.Bytes())
			gputest.Check(cuda.Read(bytes, memory, 0))
			for v, parent := range gputest.Must(result.Host()).Parents {
				word := binary.LittleEndian.AppendUint64(nil, uint64(parent))
				at := v * o.Bits / 8
				if got := bytes[at : at+o.Bits/8]; !slices.Equal(got, word[:o.Bits/8]) {
					gputest.Check(fmt.Errorf("%d bits: vertex %d with parent %d has the bytes % x", o.Bits, v, parent, got))
				}
			}
			gputest.Check(e.Close())
		}
	})
}

// A frontier has more vertices than 24 bits can count: each is a neighbour of the root and has another neighbour.
func TestWideFrontier(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "takes a graph of 32 M vertices")
	const n = 1<<24 + 5
	edges := make([]graph.Edge, 0, 2*n)
	for v := graph.Global(1); v <= n; v++ {
		edges = append(edges, graph.NewEdge(0, v), graph.NewEdge(v, n+v))
	}
	gputest.Alone(t, func(tr device.Transport) {
		e := gputest.Must(New(tr, graph.HostTuples{Edges: edges}, searching("bins")))
		defer e.Close()
		parents := gputest.Must(gputest.Must(e.Search(0)).Host()).Parents
		for v, parent := range parents[:2*n+1] {
			if want := max(graph.Global(v)-n, 0); parent != want {
				gputest.Check(fmt.Errorf("the parent of %d is %d, want %d", v, parent, want))
			}
		}
	})
}

// On a graph of a million vertices the validator for CPUs accepts the trees from 64 roots.
func TestTreesAtScale20(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "takes half a minute")
	edges := enginetest.OfficialEdges(20)
	validated := func(t *testing.T, launch bfstest.Launch, ranks int, transport string) {
		gputest.OnRanks(t, launch, ranks, func(host comm.Transport) {
			e := open(host, engineOf("auto", transport), edges)
			v := gputest.Must(validate.New(host, e.Layout(), gputest.Share(edges, host), runtime.NumCPU()/ranks+1))
			for i := range 64 {
				root := edges[i*len(edges)/64].U()
				verdict := gputest.Must(v.Tree(root, gputest.Must(gputest.Must(e.Search(root)).Host()).Parents))
				gputest.That(verdict.Fault == nil, "root %d: %w", root, verdict.Fault)
			}
			gputest.Check(e.Close())
		})
	}
	for _, transport := range []string{device.PeerTransport, device.MPITransport} {
		for _, ranks := range []int{1, 2, 3, 4, many} {
			name := fmt.Sprintf("transport=%s/ranks=%d", transport, ranks)
			t.Run(name, func(t *testing.T) { validated(t, comm.Loopback, ranks, transport) })
		}
	}
	t.Run("two nodes", func(t *testing.T) { validated(t, enginetest.OnNodes(many/2, many/2), many, device.MPITransport) })
}

// failing is a host transport that fails after some exchanges.
type failing struct {
	comm.Transport
	left int // exchanges before the failure; below zero for ever
}

var errGone = errors.New("the network is gone")

func (f *failing) AllToAllPieces(p comm.Pieces) error {
	if f.left == 0 {
		return errGone
	}
	f.left--
	return f.Transport.AllToAllPieces(p)
}

// A search ends on all ranks if the exchange of one fails, and no other search follows.
func TestSearchWithoutNetwork(t *testing.T) {
	edges := enginetest.OfficialEdges(14)
	for _, after := range []int{0, 1, 3} {
		t.Run(fmt.Sprintf("after=%d", after), func(t *testing.T) {
			err := gputest.Ranks(comm.Loopback, 3, func(host comm.Transport) {
				f := &failing{host, -1}
				e := open(f, engineOf("auto", device.MPITransport), edges)
				if host.Rank() == 1 {
					f.left = after
				}
				_, err := e.Search(edges[0].U())
				want := [...]error{comm.ErrAborted, errGone, comm.ErrAborted}[host.Rank()]
				expect.That(t, errors.Is(err, want), "rank %d: a search without a network gives %v", host.Rank(), err)
				expect.Error(t, expect.Err(e.Search(edges[0].U())), "earlier search", "the next search of rank", host.Rank())
				gputest.Check(err)
			})
			expect.That(t, errors.Is(err, errGone), "the job ends with %v", err)
		})
	}
}

// traced searches an official graph of scale 16 on four ranks, and calls look with each rank's trace.
func traced(
	t *testing.T, launch bfstest.Launch, engine bfs.New, look func(host comm.Transport, levels []trace.Step),
) {
	t.Helper()
	edges := enginetest.OfficialEdges(16)
	gputest.OnRanks(t, launch, 4, func(host comm.Transport) {
		e := open(host, engine, edges)
		gputest.Must(e.Search(edges[0].U()))
		levels := gputest.Must(e.Trace())
		look(host, levels)
		checkLevels(host, levels)
		gputest.Check(e.Close())
	})
}

// checkLevels checks that ranks receive what others send over the same transport, and that the parts of a level's time
// add up. It is collective.
func checkLevels(host comm.Transport, levels []trace.Step) {
	for i, l := range levels {
		var sums []int64
		for _, payload := range []string{
			trace.BitmapPayload, trace.BinsPayload, trace.RowsPayload,
		} {
			for _, transport := range []string{trace.PeerTransport, device.StagedTransport, device.NCCLTransport} {
				left := int64(0)
				for _, part := range l.Traffic {
					if part.Payload == payload && part.Transport == transport {
						left += part.Sent - part.Received
					}
				}
				sums = append(sums, left)
			}
		}
		gputest.Check(host.AllReduce(sums, comm.Sum))
		for _, left := range sums {
			gputest.That(left == 0, "level %d: bytes sent and not received, by payload and transport: %d", i, sums)
		}
		gputest.That(l.Compute >= 0 && l.Compute+l.Exchange+l.Wait == l.Nanoseconds, "level %d: %+v", i, l)
	}
}

func TestTraceOfSeveralRanks(t *testing.T) {
	for _, way := range gputest.Transports {
		for _, name := range exchanges {
			t.Run(way.Name+"/exchange="+name, func(t *testing.T) {
				traced(t, comm.Loopback, engineOn(way.Join, searching(name)), func(comm.Transport, []trace.Step) {})
			})
		}
	}
}

// Traffic between nodes is counted by the name of its transport.
func TestTraceBetweenNodes(t *testing.T) {
	engine := engineOf("auto", device.StagedTransport)
	traced(t, enginetest.OnNodes(2, 2), engine, func(_ comm.Transport, levels []trace.Step) {
		by := map[string]int64{}
		for _, l := range levels {
			for _, part := range l.Traffic {
				by[part.Transport] += part.Sent
			}
		}
		gputest.That(by[device.StagedTransport] != 0 && len(by) <= 1, "bytes by transport: %v", by)
	})
}

// Every reached vertex of the non-leaf subgraph is in one frontier, and so is the root. In a complete graph of 12
// vertices ranks reach vertices in the last level that others have reached, which must not be a further frontier.
func TestTraceHasEveryVertexOnce(t *testing.T) {
	var complete []graph.Edge
	for v := range graph.Global(12) {
		for u := range v {
			complete = append(complete, graph.NewEdge(u, v))
		}
	}
	for most, edges := range map[int][]graph.Edge{4: complete, 1: enginetest.OfficialEdges(14)} {
		root, ends := edges[0].U(), enginetest.Ends(edges)
		for ranks := 1; ranks <= most; ranks++ {
			gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
				e := open(host, engineOf("auto", device.PeerTransport), edges)
				reached, inFrontiers := int64(0), int64(0)
				for l, parent := range gputest.Must(gputest.Must(e.Search(root)).Host()).Parents {
					v := e.Layout().Global(host.Rank(), graph.Local(l))
					if parent != graph.NoParent && (ends[v] > 1 || v == root) {
						reached++
					}
				}
				reached = gputest.Must(comm.Reduce(host, reached, comm.Sum))
				levels := gputest.Must(e.Trace())
				for _, l := range levels {
					if l.Name != trace.ResultOrderStep {
						inFrontiers += l.Frontier
					}
				}
				expect.Equal(t, inFrontiers, reached, ranks, "ranks", "vertices in frontiers", levels)
				gputest.Check(e.Close())
			})
		}
	}
}
