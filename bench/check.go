package bench

import (
	"context"
	"fmt"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/partition"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// StoredResult is the result of one search in files.
type StoredResult struct {
	Root      graph.Global
	Tree      string // the file of parents
	Distances string // the file of distances; of shortest paths only
}

// CheckStored validates a stored result of the configuration's kernel, bfs or sssp, against the configuration's graph,
// without a search and without kernel 1. given is the result of NewSpecGraph; workers is the number of goroutines per
// rank. The verdict covers all 2^SCALE labels, including those without an edge. It is collective.
func CheckStored(ctx context.Context, t comm.Transport, c record.Config, given *SpecGraph, of StoredResult,
	workers int) (validate.Verdict, error) {
	b := newBenchmark(t, Setup{Config: c, Backend: storedBackend(workers), Graph: given})
	tuples, err := b.graphOfStored(ctx)
	if err != nil {
		return validate.Verdict{}, err
	}
	has, err := b.extent(tuples)
	if err != nil {
		return validate.Verdict{}, err
	}
	vertices := has.layout.Vertices()
	if g := b.run.Graph; g != nil {
		vertices = graph.Global(g.Vertices)
	}
	if of.Root < 0 || of.Root >= vertices {
		return validate.Verdict{}, comm.Agree(t, fmt.Errorf("root %d is no vertex: %s are below %d",
			of.Root, numbering(c), vertices))
	}
	result, err := b.readStored(of, has)
	if err := comm.Agree(t, err); err != nil {
		return validate.Verdict{}, err
	}
	verdict, err := b.validateStored(tuples, has.layout, of.Root, result)
	if err == nil && verdict.Fault == nil && verdict.Edges == 0 {
		verdict.Fault = fmt.Errorf("root %d is no search key: it has no edge to another vertex", of.Root)
	}
	return verdict, err
}

// storedBackend returns the backend that validates stored results in host memory, without an engine.
func storedBackend(workers int) Backend {
	backend := CPU("validate", nil, nil, workers)
	backend.Memory = func(w Work) []Plan {
		plan, bytes := hostMemory(w), parentEncoding.bytes
		if w.HasPaths() {
			bytes += distanceEncoding.bytes
		}
		plan.Engine, plan.Parts, plan.Building = 0, nil, 0
		plan.Add("results", bytes*heaviest(w.Params, w.Ranks).Vertices)
		return []Plan{plan}
	}
	return backend
}

// graphOfStored makes the edge tuples of the graph, if they fit into memory.
func (b *benchmark) graphOfStored(ctx context.Context) (graph.Tuples, error) {
	if err := b.makeSpecGraph(ctx); err != nil {
		return nil, err
	}
	if err := comm.Agree(b.t, b.checkMemory()); err != nil {
		return nil, err
	}
	tuples, err := b.tuples(ctx)
	err = comm.Agree(b.t, err)
	b.graph.release()
	return tuples, err
}

// extent returns the bounds of the vertices in files of results. It is collective.
func (b *benchmark) extent(tuples graph.Tuples) (extent, error) {
	edges, err := tuples.Host()
	if err != nil {
		return extent{}, err
	}
	highest := []int64{0}
	for _, e := range edges {
		highest[0] = max(highest[0], int64(e.U()), int64(e.V()))
	}
	err = b.t.AllReduce(highest, comm.Max)
	return extent{partition.NewCyclic(b.cfg.Params().Vertices(), b.t.Size()), graph.Global(highest[0])}, err
}

// readStored reads this rank's part of a stored result. A result of breadth-first search has no distances.
func (b *benchmark) readStored(of StoredResult, has extent) (result sssp.HostPaths, err error) {
	if result.Parents, err = parentEncoding.read(of.Tree, has, b.t.Rank()); err == nil && b.searchesPaths() {
		result.Distances, err = distanceEncoding.read(of.Distances, has, b.t.Rank())
	}
	return result, err
}

// validateStored validates a stored result against the tuples. It is collective.
func (b *benchmark) validateStored(tuples graph.Tuples, layout partition.Layout, root graph.Global,
	result sssp.HostPaths) (validate.Verdict, error) {
	validator, err := b.backend.NewValidator(b.t, layout, tuples)
	if err != nil {
		return validate.Verdict{}, err
	}
	if b.searchesPaths() {
		return validator.Paths(root, &result)
	}
	return validator.Tree(root, bfs.HostTree(result.Parents))
}
