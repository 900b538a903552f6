//go:build cuda && cgo

package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"g500/bench"
	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/internal/trace"
)

// kitEngine is an engine that closes its kit, as the end of a run does.
type kitEngine struct {
	bfs.Engine
	kit bench.Kit
}

// Search searches; the searches from even roots are armed.
func (k kitEngine) Search(root graph.Global) (bfs.Tree, error) {
	if root%2 == 0 {
		if err := k.Engine.(bench.Armer).Arm(); err != nil {
			return nil, err
		}
	}
	return k.Engine.Search(root)
}

// Close closes an engine that is armed for a search that does not come.
func (k kitEngine) Close() error {
	return errors.Join(k.Engine.(bench.Armer).Arm(), k.Engine.Close(), k.kit.Release())
}

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

// options are those of a kit with the usual results and policy.
func options(exchange, carrier string) Options {
	return Options{exchange, carrier, "auto", 64, bfs.DefaultPolicy()}
}

// short are options of searches with parents of 32 bits.
func short(o Options) Options {
	o.ResultBits = 32
	return o
}

// waysToSearch are the ways that words can take, and the forms that they can have; waysByHost those by way of the
// hosts. Both have results of either length.
var (
	waysToSearch = append([]Options{
		options("auto", carrierPeer), options("bitmap", carrierPeer), options("bins", carrierPeer),
		short(options("auto", carrierPeer)),
	}, waysByHost...)
	waysByHost = []Options{
		options("auto", carrierMPI), options("bitmap", carrierMPI), short(options("bins", carrierMPI)),
		short(options("auto", carrierMPI)),
	}
)

// searching are the usual options of an engine, but for its exchange.
func searching(exchange string) engineOptions {
	return engineOptions{exchange: exchanges[exchange], policy: bfs.DefaultPolicy(), known: knownLabels, bits: 64}
}

// engineOn is kernel 1 on devices that are joined in one of the carriers' ways.
func engineOn(join join, o engineOptions) bfs.New {
	return func(host comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		place, _ := comm.Place(host)
		d, err := cuda.Open(place)
		if err != nil {
			return nil, err
		}
		c, err := join(host, d, stagingBytes)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		e, err := newEngine(c, tuples, o)
		release := func() error { return errors.Join(c.Barrier(), c.Close(), d.Close()) }
		return kitEngine{e, bench.Kit{Close: release}}, err
	}
}

// Ranks are goroutines that share the GPUs that there are.
func TestConformance(t *testing.T) {
	for _, way := range waysToSearch {
		name := fmt.Sprintf("exchange=%s/carrier=%s/bits=%d", way.Exchange, way.Carrier, way.ResultBits)
		t.Run(name, func(t *testing.T) {
			bfstest.Run(t, engineWith(way), comm.Loopback, 1, 2, 3, 4)
		})
	}
}

// The same where ranks are on several hosts: those of a host share memory, or send each other messages too.
func TestConformanceBetweenHosts(t *testing.T) {
	bothWays(t, func(t *testing.T) {
		for _, way := range waysByHost {
			t.Run(fmt.Sprintf("exchange=%s/bits=%d", way.Exchange, way.ResultBits), func(t *testing.T) {
				bfstest.Run(t, engineWith(way), onHosts(t), 3, 4)
			})
		}
	})
}

// The same where ranks of one host send messages, as those of several do.
func TestConformanceWithMessages(t *testing.T) {
	withoutSharedWindows(t)
	for _, way := range waysByHost {
		t.Run(fmt.Sprintf("exchange=%s/bits=%d", way.Exchange, way.ResultBits), func(t *testing.T) {
			bfstest.Run(t, engineWith(way), comm.Loopback, 2, 3, 4)
		})
	}
}

// Ranks have peers, and others that are none.
func TestConformanceWithSomePeers(t *testing.T) {
	for _, way := range carriers[3:] {
		for name := range exchanges {
			t.Run(way.name+"/exchange="+name, func(t *testing.T) {
				bothWays(t, func(t *testing.T) {
					bfstest.Run(t, engineOn(way.join, searching(name)), comm.Loopback, 3, 4)
				})
			})
		}
	}
}

// The same in the wide form, which only large graphs need: positions and labels are a word and a half word.
func TestConformanceInTheWideForm(t *testing.T) {
	for name := range exchanges {
		for _, carrier := range []string{carrierPeer, carrierMPI} {
			wide := searching(name)
			wide.wide = true
			t.Run(fmt.Sprintf("exchange=%s/carrier=%s", name, carrier), func(t *testing.T) {
				bothWays(t, func(t *testing.T) {
					bfstest.Run(t, engineOn(chosen(carrier), wide), comm.Loopback, 2, 3, 4)
				})
			})
		}
	}
}

// Where a rank knows hardly any label, parents' labels come from their owners: from peers at once, from others when the
// search is over.
func TestConformanceWithFewKnownLabels(t *testing.T) {
	few := searching("auto")
	few.known = 1
	for _, few.bits = range []int{64, 32} {
		for _, way := range carriers {
			t.Run(fmt.Sprintf("%s/bits=%d", way.name, few.bits), func(t *testing.T) {
				bothWays(t, func(t *testing.T) {
					bfstest.Run(t, engineOn(way.join, few), comm.Loopback, 2, 4)
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
	edges := make(graph.HostTuples, official(14).Edges())
	official(14).Fill(0, edges)
	onOne(t, func(tr DeviceTransport) error {
		e, err := newEngine(tr, edges, searching("auto"))
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
			if l.Name != trace.LabelOrderStep {
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
	edges := make(graph.HostTuples, official(13).Edges())
	official(13).Fill(0, edges)
	onOne(t, func(tr DeviceTransport) error {
		o := searching("auto")
		for _, o.bits = range []int{64, 32} {
			e, err := newEngine(tr, edges, o)
			if err != nil {
				return err
			}
			result, err := e.Search(edges[0].U())
			if err != nil {
				return err
			}
			memory, vertices := result.(tree).parents, int64(e.Layout().Vertices())
			if got := memory.Bytes(); got != vertices*int64(o.bits)/8 {
				t.Errorf("%d bits a parent: %d vertices take %d bytes", o.bits, vertices, got)
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
				at := v * o.bits / 8
				if got := bytes[at : at+o.bits/8]; !slices.Equal(got, word[:o.bits/8]) {
					t.Fatalf("%d bits: the word of vertex %d, whose parent is %d, is % x", o.bits, v, parent, got)
				}
			}
			if err := e.Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestKitRefusesOtherLengths(t *testing.T) {
	o := options("auto", carrierAuto)
	o.ResultBits = 48
	err := comm.Loopback(1, func(host comm.Transport) error {
		_, err := Kit(host, o)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "gpu: a parent has 32 or 64 bits, not 48") {
		t.Errorf("48 bits give %v", err)
	}
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
	onOne(t, func(tr DeviceTransport) error {
		e, err := newEngine(tr, edges, searching("bins"))
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
