// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/numbers"
	"g500/partition"
	"g500/record"
	"g500/validate"
)

// storedFiles reads this rank's part of results in files. Vertices that a file does not have were not reached.
type storedFiles struct {
	layout partition.Layout
	rank   int
	source numbers.Source // without its file
	labels []int64        // by the program's vertex; nil without a map
}

// mapBytes bounds the memory of a map of vertices, for each label.
const mapBytes = 9

// readMap reads the label of each vertex of the program. From then on files have as many numbers, for its vertices.
func (f *storedFiles) readMap(path string) error {
	vertices, labels := f.source.Most, make([]int64, 0, f.source.Most)
	taken := make([]bool, vertices)
	from := f.source
	from.Path, from.Name, from.Least = path, "map", 1
	err := numbers.Each(from, func(v, label int64) error {
		for int64(len(labels)) <= v {
			labels = append(labels, -1)
		}
		switch {
		case label < 0 || label >= vertices:
			return fmt.Errorf("map %s: vertex %d has the label %d: labels are from 0 to %d", path, v, label, vertices-1)
		case taken[label]:
			return fmt.Errorf("map %s: vertex %d has the label %d of an earlier vertex: each vertex needs its own",
				path, v, label)
		}
		labels[v], taken[label] = label, true
		return nil
	})
	for v, label := range labels {
		if label < 0 && err == nil {
			err = fmt.Errorf("map %s: vertex %d has no label: write one for each vertex of the program", path, v)
		}
	}
	f.labels, f.source.Most = labels, int64(len(labels))
	f.source.Least, f.source.Why = f.source.Most, fmt.Sprintf("map %s has %d vertices", path, len(labels))
	return err
}

// result reads a result. A result of breadth-first search has no distances.
func (f storedFiles) result(of StoredResult, paths bool) (result engine.HostResult, err error) {
	parent := func(x int64) (graph.Global, error) { return graph.Global(x), nil }
	if f.labels != nil {
		parent = func(x int64) (graph.Global, error) {
			switch {
			case x < 0:
				return graph.NoParent, nil
			case x >= int64(len(f.labels)):
				return 0, fmt.Errorf("tree %s has the parent %d, which is none of the map's %d vertices", of.Tree, x, len(f.labels))
			}
			return graph.Global(f.labels[x]), nil
		}
	}
	result.Parents, err = own(f, of.Tree, "tree", graph.NoParent, parent)
	if err == nil && paths {
		result.Distances, err = own(f, of.Distances, "file of distances", -1, func(d float32) (float32, error) {
			if d >= math.MaxFloat32 { // and infinity, for unreached vertices
				d = -1
			}
			return d, nil
		})
	}
	return result, err
}

// own reads the numbers of this rank's vertices. A vertex that the file lacks has none.
func own[T numbers.Number, V any](f storedFiles, path, name string, none V, value func(T) (V, error)) ([]V, error) {
	all := hugepage.Make[V](f.layout.Count(f.rank)) // the validator reads it in its own order
	for i := range all {
		all[i] = none
	}
	from := f.source
	from.Path, from.Name = path, name
	err := numbers.Each(from, func(vertex int64, x T) (err error) {
		if f.labels != nil {
			vertex = f.labels[vertex]
		}
		if v := graph.Global(vertex); f.layout.Owner(v) == f.rank {
			all[f.layout.Local(v)], err = value(x)
		}
		return err
	})
	return all, err
}

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

// CheckStored validates results without a search and without kernel 1, and calls each with every verdict. A verdict
// covers all 2^SCALE labels, including those without an edge. It is collective.
func CheckStored(ctx context.Context, t comm.Transport, s Stored, each func(record.ResultVerdict)) error {
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
	read := func(i int) (result engine.HostResult, err error) {
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
		verdict, err := b.validateStored(of, result)
		if err != nil {
			return err
		}
		each(verdict)
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
		plan := HostMemory(w)
		plan.Engine, plan.Parts, plan.Building = 0, nil, 0
		plan.Add("results", bytesPerVertex(w.HasPaths())*heaviest(w.Params, w.Ranks).Vertices)
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
	host, err := tuples.Host(false)
	if err != nil {
		return files, err
	}
	highest := []int64{0}
	for _, e := range host.Edges {
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

// validateStored validates a stored result. It is collective.
func (b *benchmark) validateStored(of StoredResult, result engine.HostResult) (r record.ResultVerdict, err error) {
	var v validate.Verdict
	r = record.ResultVerdict{Root: int64(of.Root), Tree: of.Tree, Seconds: of.Seconds}
	r.ValidateSeconds, err = timed(b.t, func() (err error) {
		v, err = b.validator.Validate(of.Root, result)
		return err
	})
	switch {
	case v.Fault != nil:
		r.Fault = v.Fault.Error()
	case v.Edges == 0:
		r.Fault = fmt.Sprintf("root %d is no search key: it has no edge to another vertex", of.Root)
	default:
		r.Edges, r.EdgesWithLoops, r.Reached, r.Levels = v.Edges, v.EdgesWithLoops, v.Reached, v.Levels
	}
	return r, err
}
