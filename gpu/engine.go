//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/internal/trace"
	"g500/partition"
)

// engineOptions are how an engine searches, alike on all ranks.
type engineOptions struct {
	exchange cuda.Exchange
	policy   bfs.Policy
	known    int64 // labels that every rank knows, of all ranks together
	bits     int   // of a parent in a result
	wide     bool  // positions and labels, where there are several ranks, also of a small graph: for tests
}

// knownLabels is the usual number of labels that every rank knows: 256 MB. They are those of the largest hubs, which
// are nearly all parents; of others the owner is asked.
const knownLabels = 1 << 26

// engine searches a graph that lies spread over the devices of all ranks.
type engine struct {
	t        DeviceTransport
	options  engineOptions
	graph    *cuda.Graph
	search   *cuda.Search
	layout   partition.Layout
	edges    bitmap         // owned labels with an edge to another vertex
	window   *Window        // into which peers write during a search
	labels   *Window        // those that every rank knows; nil on one rank
	exposed  []*Window      // arrays of the graph that peers read; none where not all ranks are peers
	deferred *labelLookup   // of remote ranks' vertices, after a search; nil where no labels are deferred
	shared   *sharedWindows // of remote ranks of this host; nil where all ranks of the job are peers
	between  *hostExchange  // carries messages during a search; nil where all remote ranks share memory
}

// newEngine is kernel 1.
func newEngine(t DeviceTransport, given graph.Tuples, o engineOptions) (*engine, error) {
	e := &engine{t: t, options: o}
	if err := e.construct(given); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *engine) construct(given graph.Tuples) error {
	tuples, err := onDevice(e.t.Device(), given)
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	ranks := e.t.Host().Size()
	limits := usualLimits(ranks)
	limits.wide = e.options.wide
	if e.graph, err = build(e.t, tuples, limits); err != nil {
		return err
	}
	e.layout = partition.NewCyclic(graph.Global(e.graph.Vertices()), ranks)
	if err := e.prepare(); err != nil {
		return err
	}
	return e.connect()
}

// mostQueued vertices do not fit into a frontier: places in it are counted in 28 bits, beside edges. Only where all
// levels go top-down may a frontier hold all that a rank has.
const mostQueued = 1 << 28

// prepare derives what a search reads from the graph.
func (e *engine) prepare() error {
	device, err := newSharing(e.t)
	if err != nil {
		return err
	}
	core := e.graph.Core()
	if e.options.bits == 32 && e.graph.Vertices() > MaxNarrow {
		err = fmt.Errorf("gpu: a parent of 32 bits does not hold label %d: choose 64", e.graph.Vertices()-1)
	} else if e.options.exchange == cuda.ExchangeBins && core >= mostQueued {
		err = fmt.Errorf("gpu: with --exchange bins a rank has fewer than %d vertices with two edges or more, "+
			"and this one has %d: use --exchange auto, or more ranks", mostQueued, core)
	} else {
		e.search, err = e.graph.NewSearch(cuda.SearchOptions{
			Sharers: len(device.ranks), ResultBits: e.options.bits,
			Exchange: e.options.exchange, Policy: cuda.Policy(e.options.policy),
		})
	}
	if err == nil {
		e.edges, err = connected(e.graph)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	first := e.search.FirstNeighbours()
	return lookUpLabels(e.t, e.graph, first, e.graph.Hubs(), first.Words)
}

// Layout gives every vertex to a rank.
func (e *engine) Layout() partition.Layout { return e.layout }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (e *engine) HasEdge(l graph.Local) bool { return e.edges.has(l) }

var _ bench.Armer = (*engine)(nil)

// Arm launches the kernel of the next search, which waits for its root.
func (e *engine) Arm() error { return e.search.Arm() }

var _ bench.Abandoner = (*engine)(nil)

// Abandon has the running search end.
func (e *engine) Abandon() { e.search.End() }

// abandoned makes comm.ErrAbandoned of the error of a search that was ended on all ranks.
func abandoned(err error) error {
	if errors.Is(err, cuda.ErrEnded) {
		return comm.ErrAbandoned
	}
	return err
}

// Search searches from root. The tree stays on the devices.
func (e *engine) Search(root graph.Global) (bfs.Tree, error) {
	if err := partition.CheckRoot(e.layout, root); err != nil {
		return nil, err
	}
	err := abandoned(e.search.Run(uint64(root), e.exchanger()))
	if err == nil && e.deferred != nil {
		err = e.settleDeferred()
	}
	if err == nil && (e.between != nil || e.deferred != nil) {
		err = e.search.Relabel(uint64(root))
	}
	return tree{e.search.Parents(), e.graph.Owned(), e.options.bits}, err
}

// exchanger carries the messages of the next search.
func (e *engine) exchanger() cuda.Exchanger {
	if e.between == nil {
		return nil
	}
	e.between.log = e.between.log[:0] // of the last search
	return func(what cuda.Content, send, into [][]byte) ([][]byte, error) {
		return e.between.exchange(formsOfPairs[what], send, into)
	}
}

// formsOfPairs names what messages have in the place of pairs.
var formsOfPairs = map[cuda.Content]string{
	cuda.Reached: trace.BinsForm, cuda.AllBits: trace.BinsForm,
	cuda.Questions: trace.QuestionsForm, cuda.Answers: trace.AnswersForm,
}

// Close gives the structure's memory back.
func (e *engine) Close() error {
	var faults []error
	if e.search != nil {
		faults = append(faults, e.search.Disarm()) // the device waits for its end when memory is freed
	}
	if e.deferred != nil {
		faults = append(faults, e.deferred.Close())
	}
	for _, w := range []*Window{e.window, e.labels} {
		if w != nil {
			faults = append(faults, w.Close())
		}
	}
	if e.search != nil {
		faults = append(faults, e.search.Free())
	}
	if e.shared != nil {
		faults = append(faults, e.shared.Close())
	}
	for _, w := range e.exposed {
		faults = append(faults, w.Close())
	}
	if e.graph != nil {
		faults = append(faults, e.t.Retire(e.graph.Free))
	}
	return errors.Join(faults...)
}
