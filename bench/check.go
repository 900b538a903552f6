// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/numbers"
	"g500/partition"
	"g500/record"
	"g500/sssp"
	"g500/validate"
)

// Stored are results of searches in files, of any program, with the graph and the kernel of the configuration.
type Stored struct {
	Config  record.Config
	Graph   *SpecGraph // result of NewSpecGraph
	Results []StoredResult
	Format  string // of the files, one of internal/numbers
	Map     string // file with the label of each vertex of the program; "" if its vertices are the labels
	Workers int    // goroutines per rank
}

// StoredResult is the result of one search in files.
type StoredResult struct {
	Root      graph.Global // its label
	Tree      string       // the file of parents
	Distances string       // the file of distances; of shortest paths only
	Seconds   float64      // of the search, as the program measured it; 0 if unknown
}

// CheckStored validates results without a search and without kernel 1, and calls each with every verdict and the time
// of the validation in seconds. A verdict covers all 2^SCALE labels, including those without an edge. It is collective.
func CheckStored(ctx context.Context, t comm.Transport, s Stored,
	each func(StoredResult, validate.Verdict, float64)) error {
	b := newBenchmark(t, Setup{Config: s.Config, Backend: s.backend(), Graph: s.Graph})
	tuples, err := b.graphOfStored(ctx)
	if err != nil {
		return err
	}
	files, err := b.filesOf(s, tuples)
	if err != nil {
		return err
	}
	vertices := files.layout.Vertices()
	if g := b.run.Graph; g != nil {
		vertices = graph.Global(g.Vertices)
	}
	for _, of := range s.Results {
		if of.Root < 0 || of.Root >= vertices {
			return comm.Agree(t, fmt.Errorf("root %d is no vertex: %s are below %d", of.Root, numbering(s.Config), vertices))
		}
	}
	read := func(i int) (result sssp.HostPaths, err error) {
		if i < len(s.Results) {
			result, err = files.result(s.Results[i], b.searchesPaths())
		}
		return result, comm.Agree(t, err)
	}
	result, err := read(0) // before the validator takes its time
	if err != nil {
		return err
	}
	if b.validator, err = b.backend.NewValidator(t, files.layout, tuples); err != nil {
		return err
	}
	for i, of := range s.Results {
		verdict, seconds, err := b.validateStored(of.Root, result)
		if err != nil {
			return err
		}
		each(of, verdict, seconds)
		if result, err = read(i + 1); err != nil {
			return err
		}
	}
	return nil
}

// backend returns the backend that validates stored results in host memory, without an engine.
func (s Stored) backend() Backend {
	backend := CPU("validate", nil, nil, s.Workers)
	backend.Memory = func(w Work) []Plan {
		plan, bytes := hostMemory(w), parentEncoding.bytes
		if w.HasPaths() {
			bytes += distanceEncoding.bytes
		}
		plan.Engine, plan.Parts, plan.Building = 0, nil, 0
		plan.Add("results", bytes*heaviest(w.Params, w.Ranks).Vertices)
		if s.Map != "" {
			plan.Add("map of vertices", mapBytes*int64(w.Vertices()))
		}
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

// filesOf returns the reader of files of results on a graph with these tuples. It is collective.
func (b *benchmark) filesOf(s Stored, tuples graph.Tuples) (files storedFiles, err error) {
	edges, err := tuples.Host()
	if err != nil {
		return files, err
	}
	highest := []int64{0}
	for _, e := range edges {
		highest[0] = max(highest[0], int64(e.U()), int64(e.V()))
	}
	if err := b.t.AllReduce(highest, comm.Max); err != nil {
		return files, err
	}
	layout := partition.NewCyclic(b.cfg.Params().Vertices(), b.t.Size())
	files = storedFiles{layout: layout, rank: b.t.Rank(), source: numbers.Source{
		Format: s.Format, Least: highest[0] + 1, Most: int64(layout.Vertices()),
		Why: fmt.Sprintf("the edge list has labels up to %d and the graph %d vertices", highest[0], layout.Vertices()),
	}}
	if s.Map != "" {
		err = files.readMap(s.Map)
	}
	return files, comm.Agree(b.t, err)
}

// validateStored validates a stored result and returns the time that it takes. It is collective.
func (b *benchmark) validateStored(root graph.Global, result sssp.HostPaths) (verdict validate.Verdict, seconds float64,
	err error) {
	seconds, err = timed(b.t, func() (err error) {
		if b.searchesPaths() {
			verdict, err = b.validator.Paths(root, &result)
		} else {
			verdict, err = b.validator.Tree(root, bfs.HostTree(result.Parents))
		}
		return err
	})
	if err == nil && verdict.Fault == nil && verdict.Edges == 0 {
		verdict.Fault = fmt.Errorf("root %d is no search key: it has no edge to another vertex", root)
	}
	return verdict, seconds, err
}
