//go:build cuda && cgo

package bfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"g500/bench"
	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/trace"
)

// openEngine is an engine that closes its devices, as the end of a run does.
type openEngine struct {
	bfs.Engine
	release func() error
}

// Search searches; the searches from even roots are armed.
func (k openEngine) Search(root graph.Global) (bfs.Tree, error) {
	if root%2 == 0 {
		if err := k.Engine.(bench.Prelauncher).Prelaunch(); err != nil {
			return nil, err
		}
	}
	return k.Engine.Search(root)
}

// Close closes an engine that is armed for a search that does not come.
func (k openEngine) Close() error {
	return errors.Join(k.Engine.(bench.Prelauncher).Prelaunch(), k.Engine.Close(), k.release())
}

// way is how ranks exchange, and how long results are.
type way struct {
	exchange, transport string
	bits                int
	policy              bfs.Policy
}

// usual is a way with the usual results and policy.
func usual(exchange, transport string) way { return way{exchange, transport, 64, bfs.DefaultPolicy()} }

// short is a way with parents of 32 bits.
func short(w way) way {
	w.bits = 32
	return w
}

// engineWith is kernel 1 on devices of its own.
func engineWith(w way) bfs.New {
	o := searching(w.exchange)
	o.Policy, o.Bits = w.policy, w.bits
	return engineOn(gputest.Chosen(w.transport), o)
}

// waysToSearch are the ways that words can take, and the forms that they can have; waysByHost those by way of the
// hosts. Both have results of either length.
var (
	waysToSearch = append([]way{
		usual("auto", device.PeerTransport), usual("bitmap", device.PeerTransport), usual("bins", device.PeerTransport),
		short(usual("auto", device.PeerTransport)),
	}, waysByHost...)
	waysByHost = []way{
		usual("auto", device.MPITransport), usual("bitmap", device.MPITransport), short(usual("bins", device.MPITransport)),
		short(usual("auto", device.MPITransport)),
	}
)

// searching are the usual options of an engine, but for its exchange.
func searching(exchange string) Options {
	o := DefaultOptions()
	o.Exchange = Exchanges[exchange]
	return o
}

// engineOn is kernel 1 on devices that are joined in one of the transports' ways.
func engineOn(join gputest.Join, o Options) bfs.New {
	return func(host comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
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
		release := func() error { return errors.Join(c.Barrier(), c.Close(), d.Close()) }
		return openEngine{e, release}, err
	}
}

// Ranks are goroutines that share the GPUs that there are.
func TestConformance(t *testing.T) {
	for _, way := range waysToSearch {
		name := fmt.Sprintf("exchange=%s/transport=%s/bits=%d", way.exchange, way.transport, way.bits)
		t.Run(name, func(t *testing.T) {
			bfstest.Run(t, engineWith(way), comm.Loopback, 1, 2, 3, 4)
		})
	}
}

// The same where ranks are on several hosts: those of a host share memory, or send each other messages too.
func TestConformanceBetweenHosts(t *testing.T) {
	gputest.BothWays(t, func(t *testing.T) {
		for _, way := range waysByHost {
			t.Run(fmt.Sprintf("exchange=%s/bits=%d", way.exchange, way.bits), func(t *testing.T) {
				bfstest.Run(t, engineWith(way), onHosts(t), 3, 4)
			})
		}
	})
}

// The same where ranks of one host send messages, as those of several do.
func TestConformanceWithMessages(t *testing.T) {
	gputest.WithoutSharedWindows(t)
	for _, way := range waysByHost {
		t.Run(fmt.Sprintf("exchange=%s/bits=%d", way.exchange, way.bits), func(t *testing.T) {
			bfstest.Run(t, engineWith(way), comm.Loopback, 2, 3, 4)
		})
	}
}

// Ranks have peers, and others that are none.
func TestConformanceWithSomePeers(t *testing.T) {
	for _, way := range gputest.Transports[3:] {
		for name := range Exchanges {
			t.Run(way.Name+"/exchange="+name, func(t *testing.T) {
				gputest.BothWays(t, func(t *testing.T) {
					bfstest.Run(t, engineOn(way.Join, searching(name)), comm.Loopback, 3, 4)
				})
			})
		}
	}
}

// The same in the wide form, which only large graphs need: positions and labels are a word and a half word.
func TestConformanceInTheWideForm(t *testing.T) {
	for name := range Exchanges {
		for _, transport := range []string{device.PeerTransport, device.MPITransport} {
			wide := searching(name)
			wide.IDs64 = true
			t.Run(fmt.Sprintf("exchange=%s/transport=%s", name, transport), func(t *testing.T) {
				gputest.BothWays(t, func(t *testing.T) {
					bfstest.Run(t, engineOn(gputest.Chosen(transport), wide), comm.Loopback, 2, 3, 4)
				})
			})
		}
	}
}

// Where a rank knows hardly any label, parents' labels come from their owners: from peers at once, from others when the
// search is over.
func TestConformanceWithFewKnownLabels(t *testing.T) {
	few := searching("auto")
	few.Known = 1
	for _, few.Bits = range []int{64, 32} {
		for _, way := range gputest.Transports {
			t.Run(fmt.Sprintf("%s/bits=%d", way.Name, few.Bits), func(t *testing.T) {
				gputest.BothWays(t, func(t *testing.T) {
					bfstest.Run(t, engineOn(way.Join, few), comm.Loopback, 2, 4)
				})
			})
		}
	}
}

// tupleEnds counts the tuples that end at each label, but for self-loops. Where it is one tuple, the vertex is a leaf.
func tupleEnds(edges []graph.Edge) map[int]int {
	ends := map[int]int{}
	for _, e := range edges {
		if !e.SelfLoop() {
			ends[int(e.U())]++
			ends[int(e.V())]++
		}
	}
	return ends
}

// Every vertex of the core that is reached stands once in a frontier, and so does the root.
func TestTrace(t *testing.T) {
	edges := make(graph.HostTuples, gputest.Official(14).Edges())
	gputest.Official(14).Fill(0, edges)
	gputest.OnOne(t, func(tr device.Transport) error {
		e, err := New(tr, edges, searching("auto"))
		if err != nil {
			return err
		}
		defer e.Close()
		result, err := e.Search(edges[0].U())
		if err != nil {
			return err
		}
		parents, err := result.Parents()
		if err != nil {
			return err
		}
		reached, ends := int64(0), tupleEnds(edges)
		for v, parent := range parents {
			if parent != graph.NoParent && (ends[v] > 1 || graph.Global(v) == edges[0].U()) {
				reached++
			}
		}
		levels, err := e.Trace()
		inFrontiers := int64(0)
		for _, l := range levels {
			if l.Name != trace.ResultOrderStep {
				inFrontiers += l.Frontier
			}
		}
		if inFrontiers != reached {
			t.Errorf("%d vertices in frontiers, %d of the core reached: %+v", inFrontiers, reached, levels)
		}
		return err
	})
}

// The result lies in device memory as long as it was asked to be, with the same parents for both lengths. A vertex that
// was not reached has all bits set.
func TestResultsOfBothLengths(t *testing.T) {
	edges := make(graph.HostTuples, gputest.Official(13).Edges())
	gputest.Official(13).Fill(0, edges)
	gputest.OnOne(t, func(tr device.Transport) error {
		o := searching("auto")
		for _, o.Bits = range []int{64, 32} {
			e, err := New(tr, edges, o)
			if err != nil {
				return err
			}
			result, err := e.Search(edges[0].U())
			if err != nil {
				return err
			}
			memory, vertices := result.(device.Tree).Words, int64(e.Layout().Vertices())
			if got := memory.Bytes(); got != vertices*int64(o.Bits)/8 {
				t.Errorf("%d bits a parent: %d vertices take %d bytes", o.Bits, vertices, got)
			}
			bytes := make([]byte, memory.Bytes())
			if err := cuda.Read(bytes, memory, 0); err != nil {
				return err
			}
			parents, err := result.Parents()
			if err != nil {
				return err
			}
			for v, parent := range parents {
				word := make([]byte, 8)
				binary.LittleEndian.PutUint64(word, uint64(parent))
				at := v * o.Bits / 8
				if got := bytes[at : at+o.Bits/8]; !slices.Equal(got, word[:o.Bits/8]) {
					t.Fatalf("%d bits: the word of vertex %d, whose parent is %d, is % x", o.Bits, v, parent, got)
				}
			}
			if err := e.Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

// A frontier has more vertices than 24 bits can count: each of them is a neighbour of the root, and has another of its
// own.
func TestWideFrontier(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a graph of 32 M vertices")
	}
	const n = 1<<24 + 5
	edges := make(graph.HostTuples, 0, 2*n)
	for v := graph.Global(1); v <= n; v++ {
		edges = append(edges, graph.NewEdge(0, v), graph.NewEdge(v, n+v))
	}
	gputest.OnOne(t, func(tr device.Transport) error {
		e, err := New(tr, edges, searching("bins"))
		if err != nil {
			return err
		}
		defer e.Close()
		result, err := e.Search(0)
		if err != nil {
			return err
		}
		parents, err := result.Parents()
		if err != nil {
			return err
		}
		for v, parent := range parents[:2*n+1] {
			if want := max(graph.Global(v)-n, 0); parent != want {
				t.Fatalf("the parent of %d is %d, want %d", v, parent, want)
			}
		}
		return nil
	})
}
