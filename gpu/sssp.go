//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"

	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/partition"
	"g500/sssp"
)

// pathEngine searches for shortest paths in a graph that lies spread over the devices of all ranks.
type pathEngine struct {
	t      DeviceTransport
	ranks  *pathRanks // nil on one rank
	graph  *cuda.Graph
	search *cuda.Paths
	layout partition.Layout
	edges  bitmap           // owned labels with an edge to another vertex
	levels *cuda.TreeLevels // of a pruned graph, or nil
}

// pathOptions are how an engine searches.
type pathOptions struct {
	policy bfs.Policy
	prune  sssp.Pruning
}

// newPathEngine is kernel 1 of shortest paths.
func newPathEngine(t DeviceTransport, given graph.WeightedTuples, o pathOptions) (*pathEngine, error) {
	if ranks := t.Host().Size(); ranks > 1 && o.prune == sssp.PruneHub {
		return nil, fmt.Errorf("gpu: --prune hub is for one GPU, not for %d: use --prune none, or --engine hybrid", ranks)
	}
	e := &pathEngine{t: t}
	if err := e.construct(given, o); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *pathEngine) construct(given graph.WeightedTuples, o pathOptions) error {
	tuples, err := onDevice(e.t.Device(), given)
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	ranks := e.t.Host().Size()
	if e.graph, err = buildWeighted(e.t, tuples, usualLimits(ranks)); err != nil {
		return err
	}
	e.layout = partition.NewCyclic(graph.Global(e.graph.Vertices()), ranks)
	device, err := newSharing(e.t)
	if err != nil {
		return err
	}
	policy, sharers := cuda.Policy(o.policy), len(device.ranks)
	if e.search, err = e.graph.NewPaths(policy, sharers, nil); err == nil {
		e.edges, err = connected(e.graph)
	}
	if err == nil && o.prune == sssp.PruneHub && e.graph.Hubs() > 0 {
		err = e.pruneByHub(policy, sharers)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil || ranks == 1 {
		return err
	}
	e.ranks, err = newPathRanks(e.t, e.graph, e.search, o.policy)
	return err
}

// pruneByHub searches from the vertex with most edges, about, and goes on with the graph that is left (ADR 19).
func (e *pathEngine) pruneByHub(policy cuda.Policy, sharers int) error {
	hub, err := e.graph.Hub()
	if err != nil {
		return err
	}
	if err := e.search.Run(hub); err != nil {
		return err
	}
	farthest, hops, err := e.search.Survey()
	if err != nil {
		return err
	}
	if e.levels, err = e.search.Prune(sssp.Margin(farthest, hops), farthest); err != nil {
		return err
	}
	if err := e.search.Free(); err != nil {
		return err
	}
	policy.SSSPWindow = policy.SSSPPruned
	e.search, err = e.graph.NewPaths(policy, sharers, e.levels)
	return err
}

// Layout gives every vertex to a rank.
func (e *pathEngine) Layout() partition.Layout { return e.layout }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (e *pathEngine) HasEdge(l graph.Local) bool { return e.edges.has(l) }

// SSSP searches from root. The paths stay on the device.
func (e *pathEngine) SSSP(root graph.Global) (sssp.Paths, error) {
	if root < 0 || root >= e.layout.Vertices() {
		return nil, fmt.Errorf("gpu: root %d is no vertex; the graph has vertices 0 to %d", root, e.layout.Vertices()-1)
	}
	var err error
	if e.ranks != nil {
		err = e.ranks.run(root)
	} else {
		err = e.search.Run(uint32(root))
	}
	return paths{e.search.Parents(), e.search.Distances(), e.graph.Owned()}, err
}

// Trace is what the steps of the last search did.
func (e *pathEngine) Trace() ([]sssp.Step, error) {
	own, err := e.search.Trace()
	if err != nil {
		return nil, err
	}
	steps := make([]sssp.Step, len(own))
	for i, s := range own {
		steps[i] = sssp.Step{Name: s.Name, Vertices: s.Vertices, Edges: s.Edges, Nanoseconds: s.Nanoseconds + s.Exchange,
			Compute: s.Nanoseconds}
	}
	return steps, addUp(e.t.Host(), steps)
}

// addUp has steps tell of the vertices and edges of all ranks. It is collective.
func addUp(host comm.Transport, steps []sssp.Step) error {
	all := make([]int64, 0, 2*len(steps))
	for _, s := range steps {
		all = append(all, s.Vertices, s.Edges)
	}
	err := host.AllReduce(all, comm.Sum)
	for i := range steps {
		steps[i].Vertices, steps[i].Edges = all[2*i], all[2*i+1]
	}
	return err
}

// Close gives the structure's memory back.
func (e *pathEngine) Close() error {
	var faults []error
	if e.ranks != nil {
		faults = append(faults, e.ranks.Close())
	}
	if e.search != nil {
		faults = append(faults, e.search.Free())
	}
	if e.graph != nil {
		faults = append(faults, e.t.Retire(e.graph.Free))
	}
	return errors.Join(faults...)
}
