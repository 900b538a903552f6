//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/partition"
)

// knownLabels is the number of vertices, of all ranks together, whose labels every rank knows: 256 MB. They are the
// largest hubs, which are nearly all parents; of others the owner is asked.
const knownLabels = 1 << 26

// patience is how long a rank waits on its device for another. A level takes milliseconds.
const patience = 5 * time.Second

// engine searches a graph that lies spread over the devices of all ranks.
type engine struct {
	t       DeviceTransport
	graph   *cuda.Graph
	search  *cuda.Search
	layout  partition.Layout
	edges   bitmap    // owned labels with an edge to another vertex
	window  *Window   // into which peers write during a search
	labels  *Window   // those that every rank knows; nil on one rank
	shown   []*Window // arrays of the graph that peers read; none where not all ranks are peers
	ask     *resolver // for others, of ranks that are no peers; nil where there are none
	boards  *boards   // of ranks of this host that are no peers; nil where all of the job are
	carried bool      // hosts carry words during a search: some two ranks of the job are no peers and share no boards
}

// newEngine is kernel 1.
func newEngine(t DeviceTransport, given graph.Tuples, exchange cuda.Exchange) (*engine, error) {
	return newEngineKnowing(t, given, exchange, knownLabels)
}

// newEngineKnowing takes the number of labels that every rank shall know.
func newEngineKnowing(t DeviceTransport, given graph.Tuples, exchange cuda.Exchange, known int64) (e *engine, err error) {
	e = &engine{t: t}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	tuples, err := onDevice(t.Device(), given)
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, err
	}
	if e.graph, err = build(t, tuples); err != nil {
		return nil, err
	}
	e.layout = partition.NewCyclic(graph.Global(e.graph.Vertices()), t.Host().Size())
	if err := e.prepare(exchange); err != nil {
		return nil, err
	}
	return e, e.connect(known)
}

// mostQueued vertices do not fit into a frontier: places in it are counted in 28 bits, beside edges. Only where all levels go
// top-down may a frontier hold all that a rank has.
const mostQueued = 1 << 28

// prepare derives what a search reads from the graph.
func (e *engine) prepare(exchange cuda.Exchange) error {
	shared, err := newSharing(e.t)
	if err != nil {
		return err
	}
	if hubs := e.graph.Hubs(); exchange == cuda.ExchangeBins && hubs >= mostQueued {
		err = fmt.Errorf("gpu: with --exchange bins a rank has fewer than %d vertices with an edge, and this one has %d: use --exchange auto, or more ranks", mostQueued, hubs)
	} else {
		e.search, err = e.graph.NewSearch(len(shared.ranks), exchange)
	}
	if err == nil {
		e.edges, err = connected(e.graph)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	first := e.search.FirstNeighbours()
	return resolve(e.t, e.graph, first, e.graph.Hubs(), first)
}

// connect joins the ranks' searches.
func (e *engine) connect(known int64) error {
	host := e.t.Host()
	sums := []int64{e.graph.Hubs(), e.graph.Edges(), e.strangers()}
	if err := host.AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	apart := sums[2] > 0
	most := []int64{e.graph.Hubs()}
	if err := host.AllReduce(most, comm.Max); err != nil {
		return err
	}
	world := cuda.World{
		Apart: apart, Hubs: sums[0], Edges: sums[1], Most: most[0],
		Known: e.graph.Hubs(), Labels: e.graph.Labels(), Patience: patience,
	}
	if host.Size() > 1 {
		if err := e.shareLabels(known, most[0]); err != nil {
			return err
		}
		world.Known, world.Labels = e.labels.Bytes()/labelBytes/int64(host.Size()), e.labels.Memory
	}
	var err error
	if e.window, err = e.t.Open("search", e.search.WindowBytes()); err != nil {
		return err
	}
	world.Windows = make([]cuda.Memory, host.Size())
	copy(world.Windows, e.window.Peers)
	world.Windows[host.Rank()] = e.window.Memory
	world.Boards = make([]cuda.Memory, host.Size())
	if host.Size() > 1 && !apart {
		if err := e.showGraph(&world); err != nil {
			return err
		}
	}
	if apart {
		if world.Ask, err = e.prepareToAsk(world.Known); err != nil {
			return err
		}
		if err := e.shareBoards(most[0]); err != nil {
			return err
		}
		world.Boards, world.Carried = e.boards.memory(), e.carried
	}
	if err := comm.Agree(host, e.search.Connect(world)); err != nil {
		return err
	}
	return e.t.Barrier()
}

// labelBytes is the size of a label on the device.
const labelBytes = 4

// shareLabels tells all ranks the labels of the first vertices of each, known in all, of most that a rank has.
func (e *engine) shareLabels(known, most int64) error {
	host := e.t.Host()
	const grain = 4 // labels, since parts of an AllGather are multiples of 16 bytes
	each := (min(most, max(known/int64(host.Size()), 1)) + grain - 1) / grain * grain
	part := each * labelBytes
	var err error
	if e.labels, err = e.t.Open("labels of hubs", int64(host.Size())*part); err != nil {
		return err
	}
	own, filled := e.labels.Part(int64(host.Rank())*part, part), min(each, e.graph.Hubs())*labelBytes
	d := e.t.Device()
	copied := d.Copy(own.Part(0, filled), e.graph.Labels().Part(0, filled))
	// Parts go whole, also the end that a rank with fewer vertices leaves empty.
	if err := errors.Join(copied, d.Clear(own.Part(filled, part-filled))); err != nil {
		return err
	}
	return e.t.AllGather(e.labels, part)
}

// Layout gives every vertex to a rank.
func (e *engine) Layout() partition.Layout { return e.layout }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (e *engine) HasEdge(l graph.Local) bool { return e.edges.has(l) }

// BFS searches from root. The tree stays on the devices.
func (e *engine) BFS(root graph.Global) (bfs.Tree, error) {
	if root < 0 || root >= e.layout.Vertices() {
		return nil, fmt.Errorf("gpu: root %d is no vertex; the graph has vertices 0 to %d", root, e.layout.Vertices()-1)
	}
	err := e.search.Run(uint32(root), e.t.Host().AllToAllInto)
	if err == nil && (e.carried || e.ask != nil) {
		err = e.finish(uint32(root))
	}
	return tree{e.search.Parents(), e.graph.Owned()}, err
}

// Trace tells what the levels of the last search did.
func (e *engine) Trace() ([]bfs.Level, error) {
	levels, err := e.search.Trace()
	trace := make([]bfs.Level, len(levels))
	for i, l := range levels {
		trace[i] = bfs.Level{
			Step: steps[l.Direction], Frontier: l.Frontier, Edges: l.Edges, Nanoseconds: l.Nanoseconds,
			Compute: l.Nanoseconds - l.Exchange - l.Wait, Exchange: l.Exchange, Wait: l.Wait, Traffic: exchanged(l),
		}
	}
	return trace, err
}

// Bytes of what ranks exchange during a search.
const (
	wordBytes = 4
	pairSize  = 8
)

// exchanged is what a level sent and received.
func exchanged(l cuda.Level) (all []bfs.Traffic) {
	for _, t := range []bfs.Traffic{
		{Form: bfs.BitmapForm, Carrier: carrierPeer, Sent: wordBytes * l.WordsSent, Received: wordBytes * l.WordsReceived},
		{Form: bfs.BinsForm, Carrier: carrierPeer, Sent: pairSize * l.PairsSent, Received: pairSize * l.PairsReceived},
		{Form: bfs.RowsForm, Carrier: carrierPeer, Sent: wordBytes * l.EdgesSent, Received: wordBytes * l.EdgesReceived},
		{Form: bfs.BitmapForm, Carrier: carrierMPI, Sent: l.Carried.BitmapSent, Received: l.Carried.BitmapReceived},
		{Form: bfs.BinsForm, Carrier: carrierMPI, Sent: pairSize * l.Carried.PairsSent, Received: pairSize * l.Carried.PairsReceived},
	} {
		if t.Sent+t.Received > 0 {
			all = append(all, t)
		}
	}
	return all
}

// steps names what the device counts.
var steps = map[cuda.Direction]string{
	cuda.TopDown:    bfs.TopDownStep,
	cuda.BottomUp:   bfs.BottomUpStep,
	cuda.LabelOrder: bfs.LabelOrderStep,
}

// Close gives the structure's memory back.
func (e *engine) Close() error {
	var faults []error
	if e.ask != nil {
		faults = append(faults, e.ask.Close())
	}
	for _, w := range []*Window{e.window, e.labels} {
		if w != nil {
			faults = append(faults, w.Close())
		}
	}
	if e.search != nil {
		faults = append(faults, e.search.Free())
	}
	if e.boards != nil {
		faults = append(faults, e.boards.Close())
	}
	for _, w := range e.shown {
		faults = append(faults, w.Close())
	}
	if e.graph != nil {
		faults = append(faults, e.t.Retire(e.graph.Free))
	}
	return errors.Join(faults...)
}
